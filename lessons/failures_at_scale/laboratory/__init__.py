"""Parts that this lesson keeps in the laboratory."""

"""Code shared by all pages: shell, predictions, settings, saved answers, charts, and formats."""

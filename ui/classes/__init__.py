"""Class polls: the voter's phone page, the presenter's page, and the result bars."""

"""Class polls: the phone's page, the presenter's page, their bars."""

"""Words of a course's own, checked before they are published: `python -m lessons check FOLDER`."""

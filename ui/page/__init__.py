"""Page frame of every lesson: title, menu, prediction, sections; and pages other than lessons."""

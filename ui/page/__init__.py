"""Page frame of every lesson: title, menu, prediction, sections; and pages that are no lessons."""

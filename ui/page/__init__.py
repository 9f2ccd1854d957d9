"""The page around every lesson: title, menu, lock, sections, and the pages that are no lesson."""

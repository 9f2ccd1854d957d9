"""Storage architecture: loads against the file size."""

from lessons.storage_architecture.loads import BOTH, FILES, Frame

size = Frame("size", "How does the file size change the loads?", *FILES, BOTH)

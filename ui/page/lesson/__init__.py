"""A lesson's page: its progress, the sections below its picture, and the tour."""

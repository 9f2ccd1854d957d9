"""Shared by all pages: session state, formats, lesson texts, the device, and scheduling of work."""

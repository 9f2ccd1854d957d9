"""Code shared by all pages: session state, formats, lesson texts, device, scheduling of work."""

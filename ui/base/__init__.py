"""What everything on screen leans on: session state, formats, words, the visitor's device, turns."""

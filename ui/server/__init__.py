"""What the app does with the server that runs it, and with its private names."""

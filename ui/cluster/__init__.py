"""Your cluster: analysis of a visitor's own log, and simulations of it under other policies."""

"""Your cluster: a visitor's own log, what it says, and what another policy would have done."""

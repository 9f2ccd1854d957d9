"""The closing page of the core course: a year at the center."""

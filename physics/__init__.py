"""Models of a shared GPU fleet: every formula, simulator and constant of the app, in SI units."""

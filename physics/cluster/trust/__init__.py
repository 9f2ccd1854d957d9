"""Trust in a log: habits beyond queueing, the fit of a model, and promised starts."""

"""What every model leans on: checks of parameters, roots, Lambert's W, Student's t."""

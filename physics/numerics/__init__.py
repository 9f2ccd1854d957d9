"""What models compute with: roots, Lambert's W, Student's t."""

"""Laboratory parts of the DRF story."""

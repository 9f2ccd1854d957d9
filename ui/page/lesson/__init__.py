"""A lesson's page: what is open of it, what stands below its picture, and the tour."""

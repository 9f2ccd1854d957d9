"""Conservative backfill: every waiting job has a reservation, kept between passes or rebuilt."""

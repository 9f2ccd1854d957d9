"""Conservative backfill: every waiting job has a reservation, kept from pass to pass or made
anew.
"""

"""What a visitor did: the ledger, what the browser keeps, pins, links, the report."""

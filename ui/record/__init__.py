"""Record of a visitor's work: saved answers, browser storage, pins, links, the report."""

"""Whether a log bears out a policy: what it shows beyond queueing, and whether promised starts are
kept.
"""

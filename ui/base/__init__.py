"""What every page uses: session state, number formats, lessons' words, the device, scheduling of
computations.
"""

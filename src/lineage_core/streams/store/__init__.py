"""What the store keeps of changelog streams: which are on, their captured changes, their heads and their parts."""

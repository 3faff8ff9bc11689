-- Whether raw events have arrived that the snapshot of what is published does not see.
SELECT EXISTS ({events})

-- The last time up to which retention has deleted, whatever of.
SELECT microseconds(max(before)) FROM retention_horizons

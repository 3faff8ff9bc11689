-- Refreshes the counts of events by hour, unless that was done within the hour; whether it did.
SELECT refresh_hourly_counts()

"""What a mention means for a dataset, a job or a run, by Marquez' rules."""

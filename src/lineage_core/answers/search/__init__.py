"""What has a text in its name."""

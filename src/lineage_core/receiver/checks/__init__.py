"""The health checks of this capability, one file each; found by looking, so a new one is a new file."""

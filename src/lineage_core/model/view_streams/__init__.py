"""The changelog streams of views, one file each, named for the view; found by looking, so a new one is a new file."""

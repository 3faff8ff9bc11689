"""What the packages declare, and in which words: tables, views, streams; found by looking, and put in order."""

"""What the commands of the capabilities share: options, panels and groups, and how a command says what it came to."""

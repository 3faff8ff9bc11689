"""What a long migration decides: its ranges and pace, when it is held, and which command leads where."""

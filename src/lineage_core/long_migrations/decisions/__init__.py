"""What a long migration decides, as values: ranges, pace, holds, states."""

-- Turns a stream on, unless it is on: from when this transaction has ended, its changes are captured.
INSERT INTO streams (name)
VALUES (%(stream)s)
ON CONFLICT (name) DO NOTHING

-- A lease that nobody has, unless it is there.
INSERT INTO leases (name, epoch) VALUES (%(name)s, 0) ON CONFLICT (name) DO NOTHING

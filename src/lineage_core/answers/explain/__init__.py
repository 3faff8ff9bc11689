"""Why a run failed, or why its output differs from that of the last good run: ranked causes with their evidence."""

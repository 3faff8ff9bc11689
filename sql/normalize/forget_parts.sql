-- Removes from the manifest what stands where a slice is to be staged; gives the ids of these parts. Slices take turns.
DELETE FROM staged_parts WHERE epoch <= %(epoch)s AND (slice - 1) %% %(turns)s = %(turn)s RETURNING part_id

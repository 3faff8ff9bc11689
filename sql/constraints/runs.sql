-- Rendered from tables/runs.py by `lineage sql`: edit the declaration, not this file.
ALTER TABLE runs ADD FOREIGN KEY (start_run_state_uuid) REFERENCES run_states (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE runs ADD FOREIGN KEY (end_run_state_uuid) REFERENCES run_states (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE runs ADD FOREIGN KEY (parent_run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

-- The last report of each side, so that the live wall reads one row of a side and not its whole record.
alter table quality_sessions add column latest jsonb, add column latest_at timestamptz;

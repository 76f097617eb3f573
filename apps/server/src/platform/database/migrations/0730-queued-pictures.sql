-- Since when an upload waits for staff, or waited until they decided. Null: it never waited, or a later verdict was about a visible upload.
alter table media add column queued_at timestamptz;
update media set queued_at = created_at where status = 'pending';
drop index media_answered;
create index media_answered on media (reviewed_at) where queued_at is not null;

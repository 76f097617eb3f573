-- Acts and looks of staff. Each row holds the hash of the row before it and of its own content.
create table audit_entries (
  -- Given by the writer, without gaps, so that a missing row is found.
  entry_id bigint primary key,
  at timestamptz not null,
  -- A member of staff, or the name of a person at the operator's shell.
  staff_id bigint,
  operator text,
  act text not null,
  -- No foreign key: an entry outlives what it is about.
  user_id bigint,
  reason text not null,
  facts jsonb not null,
  prev_hash text not null,
  hash text not null unique,
  check ((staff_id is null) <> (operator is null))
);
create index audit_entries_at on audit_entries (at);
create index audit_entries_of_staff on audit_entries (staff_id, entry_id) where staff_id is not null;
create index audit_entries_of_user on audit_entries (user_id, entry_id) where user_id is not null;
create index audit_entries_of_act on audit_entries (act, entry_id);
select guard_append_only('audit_entries');

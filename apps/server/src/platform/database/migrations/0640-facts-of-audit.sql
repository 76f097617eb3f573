-- Columns beyond the first form of an entry. An entry with none of it has the hash of the first form.
alter table audit_entries
  -- Where the member of staff was: null at the operator's shell.
  add column address text,
  -- The words that the user reads because of the act.
  add column words text,
  add column before jsonb,
  add column after jsonb;

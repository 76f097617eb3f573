-- What an entry says beyond its first form. An entry with none of it has the hash of the first form.
alter table audit_entries
  -- Where the member of staff was: null at the operator's shell.
  add column address text,
  -- What the user reads because of the act.
  add column words text,
  add column before jsonb,
  add column after jsonb;

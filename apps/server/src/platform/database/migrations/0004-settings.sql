-- What the business decides; a key without a row has its default from code.
create table settings (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null
);

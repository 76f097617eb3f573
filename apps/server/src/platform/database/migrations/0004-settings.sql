-- Values that the operator decides while the server runs; a key without a row has its default from the code.
create table settings (
  key text primary key,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null
);

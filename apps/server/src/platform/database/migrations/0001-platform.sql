create table schema_migrations (
  number int4 primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);

-- What must happen after a commit even if the process dies first. Delivered at least once.
create table outbox (
  outbox_id int8 generated always as identity primary key,
  kind text not null,
  key text,
  payload jsonb not null,
  attempts int4 not null default 0,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  done_at timestamptz,
  last_error text
);

create unique index outbox_key on outbox (kind, key);
create index outbox_due on outbox (due_at) where done_at is null;
create index outbox_done on outbox (done_at) where done_at is not null;

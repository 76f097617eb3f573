-- Made by generate.ts from the migrations. Do not edit.

create table outbox (
  outbox_id bigint not null generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  done_at timestamp with time zone,
  last_error text,
  constraint outbox_pkey PRIMARY KEY (outbox_id)
);
CREATE INDEX outbox_done ON public.outbox USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX outbox_due ON public.outbox USING btree (due_at) WHERE (done_at IS NULL);
CREATE UNIQUE INDEX outbox_key ON public.outbox USING btree (kind, key);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

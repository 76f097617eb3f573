-- Acts of the shell that wait for a second person of the office: the same act is done once after it was allowed.
create table approvals (
  approval_id bigint primary key generated always as identity,
  act text not null check (act in ('grant', 'gift_cards', 'documents')),
  user_id bigint,
  facts jsonb not null,
  reason text not null,
  asked_by text not null,
  asked_at timestamptz not null,
  allowed_by text,
  allowed_at timestamptz,
  used_at timestamptz,
  check ((allowed_by is null) = (allowed_at is null)),
  check (used_at is null or allowed_at is not null)
);
create index approvals_asked on approvals (asked_at);

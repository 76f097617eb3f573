-- The wish to leave: who logs in again takes it back. The user is hidden from others as long as it stands.
alter table users add column deletion_asked_at timestamptz;

-- Requests to delete an account: a process from the request over the days to change one's mind to the last erased row.
create table account_deletions (
  deletion_id uuid primary key,
  user_id bigint not null references users (id),
  state text not null check (state in ('asked', 'held', 'erasing', 'cancelled', 'erased')),
  asked_at timestamptz not null,
  erase_at timestamptz not null,
  wake_at timestamptz,
  closed_at timestamptz,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  check ((state in ('cancelled', 'erased')) = (closed_at is not null))
);
create unique index account_deletions_one_open on account_deletions (user_id) where closed_at is null;
create index account_deletions_owned on account_deletions (owner_id) where closed_at is null;
create index account_deletions_of on account_deletions (user_id);
create index account_deletions_closed on account_deletions (closed_at) where closed_at is not null;

-- Evidence that an erasure must not destroy: while a user has a hold, the account is closed and its data stays.
create table evidence_holds (
  hold_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  reason text not null check (char_length(reason) between 1 and 500),
  placed_by text not null,
  placed_at timestamptz not null,
  lifted_at timestamptz
);
create index evidence_holds_open on evidence_holds (user_id) where lifted_at is null;
create index evidence_holds_lifted on evidence_holds (lifted_at) where lifted_at is not null;

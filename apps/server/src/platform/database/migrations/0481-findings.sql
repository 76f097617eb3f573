-- Reports of automatic checks about users, and the decisions of staff about them. `key`: a fact is
-- found once.
create table findings (
  finding_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in (
    'nudity', 'absence', 'contradiction', 'never_reported', 'chargeback', 'referral', 'linked',
    'banned_device', 'banned_instrument', 'banned_picture')),
  other_id bigint references users (id),
  session_id bigint,
  key text not null unique,
  at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  decision text,
  statement_id bigint references statements (statement_id),
  check ((decided_at is null) = (decided_by is null)),
  check ((decided_at is null) = (decision is null))
);
create index findings_waiting on findings (user_id, finding_id) where decided_at is null;
create index findings_of_user on findings (user_id, finding_id desc);
create index findings_of_other on findings (other_id) where other_id is not null;
create index findings_of_statement on findings (statement_id) where statement_id is not null;
create index findings_at on findings (at);
-- The search for banned users who came back reads what is new.
create index client_signals_new on client_signals (first_at);
create index statements_of_ban on statements (at) where kind = 'ban';

alter table statements drop constraint statements_kind_check,
  add constraint statements_kind_check check (kind in ('ban', 'suspension', 'warning', 'call_end', 'absence', 'penalty'));

-- Coins that were taken of a girl. `amount` and `paid` in units of coins: the rest is taken of later earnings.
create table penalties (
  statement_id bigint primary key references statements (statement_id),
  girl_id bigint not null references users (id),
  place text not null,
  amount units not null check (amount > 0),
  paid units not null check (paid between 0 and amount),
  at timestamptz not null,
  read_at timestamptz,
  -- The first penalty returns when enough is earned until then, without another penalty.
  refundable_until timestamptz,
  earned units not null default 0,
  returned_at timestamptz
);
create index penalties_of on penalties (girl_id, statement_id);

-- One appeal against a statement.
create table appeals (
  appeal_id bigint generated always as identity primary key,
  statement_id bigint not null unique references statements (statement_id),
  user_id bigint not null references users (id),
  text text not null check (char_length(text) <= 2000),
  state text not null default 'waiting' check (state in ('waiting', 'upheld', 'rejected')),
  answer text check (char_length(answer) <= 2000),
  decided_by text,
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'waiting') = (decided_at is null))
);
create index appeals_of on appeals (user_id, appeal_id);
create index appeals_waiting on appeals (created_at) where state = 'waiting';

-- The debt of a girl after penalties: one more asset of users' accounts.
create or replace function ledger_asset(account_id bigint) returns text language sql immutable parallel safe return
  (array['diamond', 'message', 'coin', 'usd', 'usdt', 'diamond_debt', 'message_debt', 'coin_debt'])[
    1 + ((case when account_id > 0 then account_id else -(account_id >> 6) - 1 end) & 7)];

alter table complaints drop constraint complaints_decision_check,
  add constraint complaints_decision_check check (decision in ('no_violation', 'warning', 'penalty', 'ban'));

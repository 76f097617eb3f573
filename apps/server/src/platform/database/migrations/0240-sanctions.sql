-- Statements of reasons: every decision against a user, with its reason, as the user reads it. They are never changed.
create table statements (
  statement_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('ban', 'suspension')),
  at timestamptz not null,
  reason text not null,
  comment text not null check (char_length(comment) <= 2000),
  until timestamptz,
  automatic boolean not null,
  imposed_by text not null
);
create index statements_of on statements (user_id, statement_id);

-- Bans and suspensions: a process from the decision to the end. A user may have several; the strongest counts.
create table sanctions (
  statement_id bigint primary key references statements (statement_id),
  user_id bigint not null references users (id),
  kind text not null check (kind in ('ban', 'suspension')),
  until timestamptz,
  wake_at timestamptz,
  ended_at timestamptz,
  lifted_by text,
  lift_comment text check (char_length(lift_comment) <= 2000),
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1
);
create index sanctions_open on sanctions (user_id) where ended_at is null;
create index sanctions_owned on sanctions (owner_id) where ended_at is null;
create index sanctions_of on sanctions (user_id);

-- The sanction that counts now: while it stands the user is banned, on every path.
alter table users add column sanction_id bigint references sanctions (statement_id);
create index users_sanctioned on users (sanction_id) where sanction_id is not null;

-- No user writes to a banned user.
create or replace view dialog_rights as
select d.id as dialog_id, side.user_id, side.interlocutor_id, d.guy_id, d.girl_id,
  case when side.user_id = d.guy_id then 'guy'::text else 'girl'::text end as writer,
  own.premium_until,
  own.erased_at is not null or other.erased_at is not null or other.deletion_asked_at is not null
    or other.sanction_id is not null as is_gone,
  exists (
    select from blocks where blocks.owner_id = d.guy_id and blocks.blocked_id = d.girl_id
    union all
    select from blocks where blocks.owner_id = d.girl_id and blocks.blocked_id = d.guy_id) as is_blocked,
  d.girl_wrote or d.girl_liked as is_invited, d.guy_wrote as has_answer, d.girl_unanswered as unanswered,
  other.role as interlocutor_role
from dialogs d
cross join lateral (values (d.guy_id, d.girl_id), (d.girl_id, d.guy_id)) side (user_id, interlocutor_id)
join users own on own.id = side.user_id
join users other on other.id = side.interlocutor_id;

-- Offers: two users who may meet are shown to each other. Waiting users are in memory; from the offer on everything is a row.
create table pairs (
  pair_id uuid primary key,
  kind text not null check (kind in ('random', 'direct')),
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  state text not null check (state in ('open', 'matched', 'closed')),
  reason text,
  free_seconds integer not null check (free_seconds >= 0),
  guy_answer text check (guy_answer in ('accepted', 'declined')),
  girl_answer text check (girl_answer in ('accepted', 'declined')),
  -- Needed when a user is queued again: the start of the wait and the languages asked for.
  guy_waiting_since timestamptz not null,
  girl_waiting_since timestamptz not null,
  guy_locales text[] not null,
  girl_locales text[] not null,
  -- Consecutive offers before this one that she did not answer.
  missed_before integer not null,
  opened_at timestamptz not null,
  wake_at timestamptz,
  closed_at timestamptz,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'open') = (wake_at is not null)),
  check ((state = 'closed') = (reason is not null))
);
-- No user is in two open offers.
create unique index pairs_one_of_guy on pairs (guy_id) where state = 'open';
create unique index pairs_one_of_girl on pairs (girl_id) where state = 'open';
create index pairs_of_guy on pairs (guy_id, opened_at desc);
create index pairs_of_girl on pairs (girl_id, opened_at desc);
create index pairs_opened on pairs using brin (opened_at);
create index pairs_closed on pairs (closed_at) where closed_at is not null;

-- Two users who met, or one of them declined the other, with the time of the last event.
create table meetings (
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  at timestamptz not null,
  primary key (guy_id, girl_id)
);
create index meetings_of_guy on meetings (guy_id, at desc);
create index meetings_of_girl on meetings (girl_id, at desc);
create index meetings_at on meetings (at);

-- Free seconds of video that a user receives once.
create table free_quotas (
  user_id bigint primary key references users (id),
  seconds integer not null check (seconds >= 0)
);
insert into free_quotas (user_id, seconds) select id, 60 from users where role = 'guy';

-- Calls that began with free seconds, by product day.
create table free_starts (
  guy_id bigint not null references users (id),
  day date not null,
  girl_id bigint not null references users (id),
  uses integer not null check (uses > 0),
  primary key (guy_id, day, girl_id)
);
create index free_starts_of_girl on free_starts (girl_id);
create index free_starts_day on free_starts using brin (day);

-- The reasons why an online girl does not search; they survive a restart.
create table search_rests (
  user_id bigint primary key references users (id),
  on_break boolean not null default false,
  paused_until timestamptz,
  -- Consecutive offers without an answer; too many of them end her search until she starts it again.
  missed_offers integer not null default 0,
  missed_out boolean not null default false
);

create table absences (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null check (kind in ('missed_offers', 'no_face')),
  at timestamptz not null
);
create index absences_of on absences (user_id, at desc);
create index absences_at on absences using brin (at);

-- Offers: two who may meet were shown to each other. Everything from the offer on is a row; waiting is memory.
create table pairs (
  pair_id uuid primary key,
  kind text not null check (kind in ('random', 'direct')),
  guy_id integer not null references users (id),
  girl_id integer not null references users (id),
  state text not null check (state in ('open', 'matched', 'closed')),
  reason text,
  free_seconds integer not null check (free_seconds >= 0),
  guy_answer text check (guy_answer in ('accepted', 'declined')),
  girl_answer text check (girl_answer in ('accepted', 'declined')),
  -- For who is put back: since when they wait, and the languages they wished for.
  guy_waiting_since timestamptz not null,
  girl_waiting_since timestamptz not null,
  guy_locales text[] not null,
  girl_locales text[] not null,
  -- Offers that she let pass in a row before this one.
  missed_before integer not null,
  opened_at timestamptz not null,
  wake_at timestamptz,
  closed_at timestamptz,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'open') = (wake_at is not null)),
  check ((state = 'closed') = (reason is not null))
);
-- The law: nobody is in two open offers.
create unique index pairs_one_of_guy on pairs (guy_id) where state = 'open';
create unique index pairs_one_of_girl on pairs (girl_id) where state = 'open';
create index pairs_of_guy on pairs (guy_id, opened_at desc);
create index pairs_of_girl on pairs (girl_id, opened_at desc);

-- Who met or declined whom, the newest time of each two.
create table meetings (
  guy_id integer not null references users (id),
  girl_id integer not null references users (id),
  at timestamptz not null,
  primary key (guy_id, girl_id)
);
create index meetings_of_guy on meetings (guy_id, at desc);
create index meetings_of_girl on meetings (girl_id, at desc);

-- Seconds of video without payment, given once.
create table free_quotas (
  user_id integer primary key references users (id),
  seconds integer not null check (seconds >= 0)
);
insert into free_quotas (user_id, seconds) select id, 60 from users where role = 'guy';

-- Calls that began with free seconds, by product day.
create table free_starts (
  guy_id integer not null references users (id),
  day date not null,
  girl_id integer not null references users (id),
  uses integer not null check (uses > 0),
  primary key (guy_id, day, girl_id)
);

-- Why somebody does not search although she is here: it survives a restart.
create table search_rests (
  user_id integer primary key references users (id),
  on_break boolean not null default false,
  paused_until timestamptz,
  -- Offers let pass in a row; too many take her out of search until she asks again.
  missed_offers integer not null default 0,
  missed_out boolean not null default false
);

create table absences (
  id integer generated always as identity primary key,
  user_id integer not null references users (id),
  kind text not null check (kind in ('missed_offers', 'no_face')),
  at timestamptz not null
);
create index absences_of on absences (user_id, at desc);

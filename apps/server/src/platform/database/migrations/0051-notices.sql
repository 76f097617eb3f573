-- The bell: what a user should know and may have missed. The client has the sentence of each kind; `facts` are its values.
create table notices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  kind text not null,
  -- The other user that it is about.
  about_id bigint references users (id),
  facts jsonb not null,
  -- A user has one notice for a key.
  key text,
  at timestamptz not null,
  read_at timestamptz,
  -- The time at which a mail was written about it, alone or in a digest; the digest takes those without one.
  mailed_at timestamptz
);
create index notices_page on notices (user_id, id desc);
create unique index notices_key on notices (user_id, key) where key is not null;
create index notices_about on notices (user_id, about_id, at) where about_id is not null;
create index notices_of on notices (about_id) where about_id is not null;
create index notices_at on notices (at);
create index notices_for_digest on notices (at) where read_at is null and mailed_at is null;

-- Guys who asked to learn when a girl comes online.
create table wanted_girls (
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  at timestamptz not null,
  primary key (guy_id, girl_id)
);
create index wanted_girls_of on wanted_girls (girl_id, guy_id);
create index wanted_girls_at on wanted_girls (at);

-- Users who came online, while others are notified of it: in chunks, by the ids of those who are notified.
create table arrivals (
  user_id bigint primary key references users (id),
  arrived_at timestamptz not null,
  -- Those up to this id have been notified; null when all have.
  above bigint,
  -- The time of the last chunk: arrivals take turns.
  turn_at timestamptz not null
);
create index arrivals_open on arrivals (turn_at) where above is not null;
create index arrivals_at on arrivals (arrived_at);

-- Those who keep a user as a favourite are read in chunks by their ids.
create index favourites_owners on favourites (user_id, owner_id);
drop index favourites_of;

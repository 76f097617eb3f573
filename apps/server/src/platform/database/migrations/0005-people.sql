-- The change log: one row for everything durable that a user must learn, numbered for each user without gaps.
create table change_heads (
  user_id integer primary key,
  head integer not null
);
create table changes (
  user_id integer not null,
  change_id integer not null,
  event text not null,
  payload jsonb not null,
  at timestamptz not null,
  primary key (user_id, change_id)
);
create index changes_at on changes using brin (at);

create table blocks (
  owner_id integer not null references users (id),
  blocked_id integer not null references users (id),
  at timestamptz not null,
  primary key (owner_id, blocked_id),
  check (owner_id <> blocked_id)
);
create index blocks_of on blocks (blocked_id, owner_id);

create table favourites (
  id integer generated always as identity primary key,
  owner_id integer not null references users (id),
  user_id integer not null references users (id),
  at timestamptz not null,
  unique (owner_id, user_id),
  check (owner_id <> user_id)
);
create index favourites_page on favourites (owner_id, id desc);
create index favourites_of on favourites (user_id);

-- A kept counter: nobody counts rows to show a number.
alter table users add column favourites_count integer not null default 0 check (favourites_count >= 0);

-- The change log: one row for every durable change that a user must receive, numbered for each user without gaps. The number
-- is drawn from change_heads under its row lock, so it is unique over all months.
create table change_heads (
  user_id bigint primary key,
  head bigint not null
);
create table changes (
  user_id bigint not null,
  change_id bigint not null,
  event text not null,
  payload jsonb not null,
  at timestamptz not null,
  primary key (user_id, change_id, at)
) partition by range (at);
create index changes_at on changes using brin (at);
create table changes_default partition of changes default;

create table blocks (
  owner_id bigint not null references users (id),
  blocked_id bigint not null references users (id),
  at timestamptz not null,
  primary key (owner_id, blocked_id),
  check (owner_id <> blocked_id)
);
create index blocks_of on blocks (blocked_id, owner_id);

create table favourites (
  id bigint generated always as identity primary key,
  owner_id bigint not null references users (id),
  user_id bigint not null references users (id),
  at timestamptz not null,
  unique (owner_id, user_id),
  check (owner_id <> user_id)
);
create index favourites_page on favourites (owner_id, id desc);
create index favourites_of on favourites (user_id);

-- The number of the user's favourites, so that no query counts rows to show it.
alter table users add column favourites_count integer not null default 0 check (favourites_count >= 0);

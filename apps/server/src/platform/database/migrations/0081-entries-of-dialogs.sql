-- Entries of a dialog that no one typed: likes and calls. `entry` has the facts of a call.
alter table messages add column entry jsonb;

create table likes (
  liker_id bigint not null references users (id),
  liked_id bigint not null references users (id),
  at timestamptz not null,
  message_id bigint not null,
  primary key (liker_id, liked_id)
);
create index likes_of on likes (liked_id);

-- How many users like a user.
create table liked_counts (
  user_id bigint primary key references users (id),
  count integer not null check (count >= 0)
);

-- Likes that a user gave on a day of the product. Taking one back gives none back.
create table given_likes (
  user_id bigint not null references users (id),
  day date not null,
  used integer not null check (used > 0),
  primary key (user_id, day)
);
create index given_likes_day on given_likes using brin (day);

-- A call is one entry, also when its delivery is repeated.
create unique index messages_of_call on messages ((entry ->> 'session_id')) where type = 'call';

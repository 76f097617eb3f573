-- The gifts on sale. `word` names the picture and the text of the name; the price is in the units of diamonds.
create table gifts (
  gift_id bigint generated always as identity primary key,
  word text not null unique check (word ~ '^[a-z]{1,30}$'),
  price units not null check (price > 0),
  on_sale boolean not null default true
);
insert into gifts (word, price)
select word, minutes * 60000 from (values
  ('letter', 2), ('coffee', 3), ('peony', 5), ('cake', 8), ('balloon', 10), ('record', 12), ('moon', 15),
  ('cocktail', 18), ('lantern', 20), ('shell', 30), ('star', 50), ('crown', 100)) as listed (word, minutes);

-- Gifts that were given. The price and the reward are those of the moment.
create table given_gifts (
  id bigint generated always as identity primary key,
  gift_id bigint not null references gifts (gift_id),
  giver_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  price units not null,
  reward units not null,
  session_id bigint,
  random_id text not null,
  at timestamptz not null,
  unique (giver_id, random_id)
);
create index given_gifts_by on given_gifts (giver_id, id);
create index given_gifts_to on given_gifts (girl_id, id);

-- The number of a user's gifts, and their price (guys) or reward (girls): lists do not count rows.
create table gift_totals (
  user_id bigint primary key references users (id),
  count bigint not null,
  amount units not null
);

-- Staff can forbid a girl to accept gifts.
alter table users add column gifts_forbidden boolean not null default false;

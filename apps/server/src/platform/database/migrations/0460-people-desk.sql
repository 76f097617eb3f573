-- Notes of staff about users: added, never changed.
create table person_notes (
  note_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  author text not null,
  text text not null check (char_length(text) between 1 and 2000),
  at timestamptz not null
);
create index person_notes_of on person_notes (user_id, note_id desc);

-- The search of staff.
create index users_nick on users (lower(nick) text_pattern_ops, id) where nick is not null;
create index users_wallet on users (usdt_wallet) where usdt_wallet is not null;
create index orders_payment_id on orders (payment_id) where payment_id is not null;

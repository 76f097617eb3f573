-- Translations of texts, so that the service translates a text once. A row names no user, dialog or message. Its key is made of
-- the text itself and so is the key that opens it: once a text is deleted, its translation is unreadable.
create table translations (
  key text primary key,
  sealed bytea not null,
  at timestamptz not null
);
create index translations_at on translations using brin (at);

-- The characters that were translated on a day, for each user and for all.
create table translation_uses (
  user_id bigint not null references users (id),
  day date not null,
  characters integer not null check (characters >= 0),
  primary key (user_id, day)
);
create index translation_uses_day on translation_uses using brin (day);
create table translation_days (
  day date primary key,
  characters bigint not null check (characters >= 0)
);

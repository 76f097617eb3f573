-- Users. A guest's id is random, from 2^52 upwards, and lives in its token; its row is written at the first stored action
-- and keeps the id when the guest registers. Users that the operator adds have ids from the sequence, below 2^52.
create sequence user_ids as bigint maxvalue 4503599627370495;

create table users (
  id bigint primary key,
  -- Fixed at registration; null is a guest.
  role text check (role in ('guy', 'girl')),
  declared_role text check (declared_role in ('guy', 'girl')),
  nick text check (char_length(nick) <= 40),
  email text check (char_length(email) <= 320),
  password_hash text,
  birthday date,
  about text not null default '' check (char_length(about) <= 2000),
  phone text,
  show_country boolean not null default false,
  country text,
  locale text not null default 'en',
  theme text not null default 'system' check (theme in ('system', 'dark', 'light')),
  ref_code text unique,
  -- The owner of the entry link that the user came by: bound once, at registration.
  referred_by bigint references users (id),
  signature text,
  usdt_wallet text,
  age_confirmed_at timestamptz,
  terms_version text,
  email_confirmed_at timestamptz,
  premium_until timestamptz,
  verified_at timestamptz,
  noty_email boolean not null default true,
  noty_push boolean not null default true,
  noty_premium_guest boolean not null default true,
  noty_wanted_girl boolean not null default true,
  safe_video boolean not null default true,
  auto_accept boolean not null default false,
  available boolean not null default true,
  hide_countries text[] not null default '{}',
  quiet_hours jsonb,
  premium_calls_only boolean not null default false,
  default_pay_system text,
  fingerprint text,
  created_at timestamptz not null,
  registered_at timestamptz,
  last_visit timestamptz,
  -- Set for a tombstone: the row stays, so that no token of this id becomes valid again.
  erased_at timestamptz,
  constraint a_member_is_whole check (
    role is null or (nick is not null and email is not null and password_hash is not null and birthday is not null
      and ref_code is not null and registered_at is not null) or erased_at is not null
  )
);
create unique index users_email on users (lower(email)) where email is not null;
create index users_guests on users (created_at) where role is null and erased_at is null;
create index users_tombstones on users (erased_at) where role is null and erased_at is not null;
create index users_referred_by on users (referred_by) where referred_by is not null;

-- One row for each login of a device. Tokens are opaque and stored hashed; ortc and fs tokens are derived from the generation.
create table logins (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  token_hash bytea not null unique,
  -- Rotation increments it, which invalidates every token derived before.
  generation integer not null default 1,
  created_at timestamptz not null,
  used_at timestamptz not null,
  ended_at timestamptz
);
create index logins_of on logins (user_id);
create index logins_ended on logins (ended_at) where ended_at is not null;

-- How often a network address was answered that an e-mail is used (103). A daily limit prevents a search for accounts.
create table email_probes (
  address text not null,
  day date not null,
  tries integer not null,
  primary key (address, day)
);
create index email_probes_day on email_probes using brin (day);

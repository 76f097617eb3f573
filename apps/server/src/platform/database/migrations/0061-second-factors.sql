-- The one-time-code factor of a user. Until it is confirmed by its first code it is off.
create table totp_factors (
  user_id bigint primary key references users (id),
  -- Encrypted with a key that is derived from SECRET_KEY.
  secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last accepted code: no code of it or of an earlier one is accepted again.
  last_step bigint not null
);

-- Codes for a user whose device with the one-time codes is lost: keyed hashes, each deleted when it is used.
create table spare_codes (
  user_id bigint not null references users (id),
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  passkey_id text primary key,
  user_id bigint not null references users (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_of on passkeys (user_id);

-- Challenges that were answered: their answers are not accepted again. A challenge is signed by the server, and nothing is
-- stored about it before its answer.
create table answered_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index answered_challenges_expired on answered_challenges (expires_at);

-- Whether a log-in with the password is asked for a second factor: a confirmed one-time-code factor, or a passkey.
alter table users add column second_factor boolean not null default false;

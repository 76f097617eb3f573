-- Members of staff, who enter the back office. They are no users and have ids of their own.
create table staff_members (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  role text not null check (role in ('moderator', 'manager', 'finance', 'owner')),
  -- 'none': no password.
  password_hash text not null default 'none',
  -- Encrypted with a key that is derived from SECRET_KEY. Null: no one-time code.
  totp_secret bytea,
  -- The time step of the last accepted code: no code of it or of an earlier one is accepted again.
  totp_step bigint not null default 0,
  created_at timestamptz not null,
  last_visit_at timestamptz,
  ended_at timestamptz
);

-- One-time links by which members of staff choose their factors. A newer link replaces the former.
create table staff_links (
  staff_id bigint primary key references staff_members (id),
  token_hash bytea not null unique,
  -- The secret that the page of the link shows; encrypted.
  totp_secret bytea not null,
  expires_at timestamptz not null
);
create index staff_links_expired on staff_links (expires_at);

create table staff_passkeys (
  passkey_id text primary key,
  staff_id bigint not null references staff_members (id),
  public_key bytea not null,
  counter bigint not null,
  created_at timestamptz not null
);
create index staff_passkeys_of on staff_passkeys (staff_id);

create table staff_sessions (
  id bigint generated always as identity primary key,
  staff_id bigint not null references staff_members (id),
  token_hash bytea not null unique,
  device text not null,
  country text,
  created_at timestamptz not null,
  used_at timestamptz not null,
  -- The last proof of the factors.
  proven_at timestamptz not null,
  -- Twelve hours after the sign-in, or the moment at which it was ended.
  ends_at timestamptz not null
);
create index staff_sessions_of on staff_sessions (staff_id, ends_at);
create index staff_sessions_ended on staff_sessions (ends_at);

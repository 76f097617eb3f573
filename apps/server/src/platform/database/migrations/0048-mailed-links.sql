-- Links with a single-use key that were mailed to a user: to set a new password, or to confirm an e-mail address. Processes.
create table mailed_links (
  link_id uuid primary key,
  user_id bigint not null references users (id),
  purpose text not null check (purpose in ('recovery', 'email')),
  -- The address that the mail went to. The link is worth nothing once the user has another one.
  email text not null,
  key_hash bytea not null unique,
  state text not null check (state in ('open', 'used', 'replaced', 'expired')),
  opened_at timestamptz not null,
  wake_at timestamptz not null,
  closed_at timestamptz,
  owner_id integer,
  fence integer not null,
  version integer not null
);
create index mailed_links_of on mailed_links (user_id, purpose, opened_at);
create index mailed_links_open on mailed_links (owner_id) where state = 'open';
create index mailed_links_closed on mailed_links (closed_at) where closed_at is not null;

-- A recovery link that was mailed before the last change of the password is worth nothing.
alter table users add column password_changed_at timestamptz;

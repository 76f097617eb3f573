-- Browsers and networks of members, by which accounts of one person can be recognised: keyed hashes, which cannot be turned
-- back into a fingerprint or an address. Guests have none: they cost nothing, and could hide the members behind a value.
create table client_signals (
  signal_id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  signal text not null check (signal in ('fingerprint', 'pro_fingerprint', 'device', 'network')),
  value_hash bytea not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The day of last_at, for the retention: an index on last_at itself could be chosen to walk all rows for one common value.
  last_day date not null,
  unique (user_id, signal, value_hash)
);
create index client_signals_shared on client_signals (value_hash, last_at desc);
create index client_signals_aged on client_signals (last_day);

-- The fingerprint of a row is a keyed hash from now on; the next visit of its owner writes it.
update users set fingerprint = null where fingerprint is not null;

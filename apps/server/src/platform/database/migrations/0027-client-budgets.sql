-- The uses of a daily limit by a network or a device: e-mail addresses tried, registrations. A network is an address; a device is a keyed hash.
create table client_budgets (
  day date not null,
  kind text not null check (kind in ('email_try', 'registration')),
  client text not null,
  used integer not null check (used >= 0),
  primary key (day, kind, client)
);
-- It counted only e-mails that were used, so that its end told which ones are.
drop table email_probes;

-- The devices for which a free quota was granted; a keyed hash of network and fingerprint.
create table quota_devices (
  device text primary key,
  at timestamptz not null
);
create index quota_devices_at on quota_devices (at);

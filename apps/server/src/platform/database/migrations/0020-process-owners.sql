-- Server processes that are alive: each renews its one lease for all the process rows that it owns.
create sequence process_owner_ids as integer;
create table process_owners (
  owner_id integer primary key,
  started_at timestamptz not null,
  lease_until timestamptz not null
);

-- Who owns an open process. `fence` rises with each new owner, so that a write of a former owner changes nothing;
-- `version` rises with each stored decision, so that a commit whose answer was lost can be recognised.
alter table pairs
  add column owner_id integer,
  add column fence integer not null default 1,
  add column version integer not null default 1;
alter table video_sessions
  add column owner_id integer,
  add column fence integer not null default 1,
  add column version integer not null default 1;

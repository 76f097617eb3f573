-- Running server processes: each renews one lease for all the process rows that it owns. An id is used by one start of a
-- server process: even with a start every second, integer lasts 68 years. It must be integer, because the advisory lock of
-- an owner is a pair of integers. A process deletes its row when it stops; each start deletes the old rows of killed ones.
create sequence process_owner_ids as integer;
create table process_owners (
  owner_id integer primary key,
  started_at timestamptz not null,
  lease_until timestamptz not null
);

-- The owner of an open process. `fence` rises with each new owner, so that a write of a former owner changes nothing;
-- `version` rises with each stored decision, so that a commit whose answer was lost can be recognised.
alter table pairs
  add column owner_id integer,
  add column fence integer not null default 1,
  add column version integer not null default 1;
alter table video_sessions
  add column owner_id integer,
  add column fence integer not null default 1,
  add column version integer not null default 1;

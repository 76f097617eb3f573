-- Acts of which a person of staff may do only some in a time. `actor`: 'staff 12' or 'operator NAME'.
create table bulk_acts (
  act_id bigint generated always as identity primary key,
  actor text not null,
  kind text not null check (kind in ('ban', 'penalty', 'removal', 'money')),
  at timestamptz not null
);
create index bulk_acts_of_actor on bulk_acts (actor, kind, at);
create index bulk_acts_at on bulk_acts (at);

-- The person has done as many as allowed and does no more until a second person allows it.
create table bulk_stops (
  stop_id bigint generated always as identity primary key,
  actor text not null,
  staff_id bigint,
  kind text not null check (kind in ('ban', 'penalty', 'removal', 'money')),
  acts bigint not null,
  stopped_at timestamptz not null,
  allowed_by text,
  allowed_at timestamptz,
  check ((allowed_by is null) = (allowed_at is null)),
  check (allowed_by <> actor)
);
create unique index bulk_stops_open on bulk_stops (actor, kind) where allowed_at is null;
create index bulk_stops_of_actor on bulk_stops (actor, kind, allowed_at);
create index bulk_stops_allowed on bulk_stops (allowed_at);

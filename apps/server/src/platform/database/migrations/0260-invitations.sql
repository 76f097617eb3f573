-- An invitation to a direct call, from the first ring to its end. It rings for half a minute.
create table invitations (
  pair_id uuid primary key,
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  caller text not null check (caller in ('guy', 'girl')),
  -- The caller's own id for the request: repeating the request rings once.
  random_id text,
  state text not null check (state in ('open', 'accepted', 'closed')),
  reason text,
  -- The user who was called did not answer, and learns of it afterwards.
  missed boolean not null,
  free_seconds integer not null check (free_seconds >= 0),
  opened_at timestamptz not null,
  wake_at timestamptz,
  closed_at timestamptz,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  check ((state = 'open') = (closed_at is null)),
  check ((state = 'open') = (wake_at is not null)),
  check ((state = 'closed') = (reason is not null))
);
-- No user is in two open invitations.
create unique index invitations_one_of_guy on invitations (guy_id) where state = 'open';
create unique index invitations_one_of_girl on invitations (girl_id) where state = 'open';
create unique index invitations_by_random_id
  on invitations ((case caller when 'guy' then guy_id else girl_id end), random_id) where random_id is not null;
create index invitations_of_guy on invitations (guy_id, opened_at desc);
create index invitations_of_girl on invitations (girl_id, opened_at desc);
create index invitations_closed on invitations (closed_at) where closed_at is not null;

-- A missed call is one entry of a dialog, also when its delivery is repeated.
create unique index messages_of_missed_call on messages ((entry ->> 'pair_id')) where type = 'call' and entry ? 'pair_id';

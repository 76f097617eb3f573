-- Video sessions: the record of rules.ts, one row a call, from its opening to its receipt and for ever after.
create sequence video_session_ids as integer;

create table video_sessions (
  session_id integer primary key,
  session_guid uuid not null,
  guy_id integer not null references users (id),
  girl_id integer not null references users (id),
  kind text not null check (kind in ('random', 'direct')),
  state text not null check (state in ('public', 'private')),
  status text not null check (status in ('waiting', 'running', 'closed')),
  opened_at timestamptz not null,
  connected_at timestamptz,
  closed_at timestamptz,
  reason text,
  -- A minute's price and reward in the smallest units, fixed at the opening.
  price_public bigint not null check (price_public >= 0),
  price_private bigint not null check (price_private >= 0),
  earn_public bigint not null check (earn_public >= 0),
  earn_private bigint not null check (earn_private >= 0),
  free_seconds integer not null,
  quota_seconds integer not null,
  private_from integer,
  good_ms integer not null,
  last_round_at timestamptz,
  free_used integer not null,
  quota_used integer not null,
  paid_seconds integer not null,
  phase text,
  phase_since timestamptz,
  why text,
  posted_seconds integer not null,
  funded_seconds integer not null,
  quota_taken integer not null,
  hold_asked_at timestamptz,
  hold_dry boolean not null,
  break_set boolean not null,
  flagged boolean not null,
  guy jsonb not null,
  girl jsonb not null,
  paused jsonb not null,
  ask jsonb,
  doubt jsonb,
  broken_ms integer not null,
  broken_since timestamptz,
  media_due_at timestamptz not null,
  server_until timestamptz,
  told_at timestamptz,
  wake_at timestamptz,
  -- What the ledger holds for this call, and what it has posted: his in diamonds, hers in coins.
  hold_id integer,
  held_units bigint not null default 0,
  posted_his bigint not null default 0,
  posted_hers bigint not null default 0,
  -- Numbers the ledger keys of this call.
  money_step integer not null default 0,
  check ((status = 'closed') = (closed_at is not null and reason is not null))
);
-- The law: nobody is in two calls.
create unique index video_sessions_one_of_guy on video_sessions (guy_id) where status <> 'closed';
create unique index video_sessions_one_of_girl on video_sessions (girl_id) where status <> 'closed';
create index video_sessions_of_guy on video_sessions (guy_id, session_id desc);
create index video_sessions_of_girl on video_sessions (girl_id, session_id desc);

create table session_texts (
  text_id integer generated always as identity primary key,
  session_id integer not null references video_sessions (session_id),
  sender_id integer not null references users (id),
  -- The sender's own id for it: sending it again gives the first answer.
  id text not null,
  text text not null,
  -- What was written before masking: for moderation alone.
  original text,
  create_time timestamptz not null,
  unique (session_id, sender_id, id)
);

-- What staff should look at: his page says one thing and hers proves another.
create table call_flags (
  id integer generated always as identity primary key,
  session_id integer not null references video_sessions (session_id),
  user_id integer not null references users (id),
  about text not null,
  at timestamptz not null
);

-- Lines that pages say about their connection.
create table session_logs (
  id bigint generated always as identity primary key,
  session_id integer not null references video_sessions (session_id),
  user_id integer not null references users (id),
  level text not null,
  text text not null,
  at timestamptz not null
);
create index session_logs_at on session_logs using brin (at);

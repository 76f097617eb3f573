-- Calls: the state of the call rules, one row for each call. The row stays after the call as history.
create sequence video_session_ids as bigint;

create table video_sessions (
  session_id bigint primary key,
  session_guid uuid not null,
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  kind text not null check (kind in ('random', 'direct')),
  state text not null check (state in ('public', 'private')),
  status text not null check (status in ('waiting', 'running', 'closed')),
  opened_at timestamptz not null,
  connected_at timestamptz,
  closed_at timestamptz,
  reason text,
  -- The price and the reward of one minute in the smallest units, fixed when the call opens.
  price_public units not null check (price_public >= 0),
  price_private units not null check (price_private >= 0),
  earn_public units not null check (earn_public >= 0),
  earn_private units not null check (earn_private >= 0),
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
  meter_sent_at timestamptz,
  wake_at timestamptz,
  -- The hold in the ledger for this call, and the amounts posted from it: the guy's in diamonds, the girl's in coins.
  hold_id bigint,
  held_units units not null default 0,
  posted_his units not null default 0,
  posted_hers units not null default 0,
  -- Numbers the ledger keys of this call.
  money_step integer not null default 0,
  check ((status = 'closed') = (closed_at is not null and reason is not null))
);
-- No user is in two calls.
create unique index video_sessions_one_of_guy on video_sessions (guy_id) where status <> 'closed';
create unique index video_sessions_one_of_girl on video_sessions (girl_id) where status <> 'closed';
create index video_sessions_of_guy on video_sessions (guy_id, session_id desc);
create index video_sessions_of_girl on video_sessions (girl_id, session_id desc);

-- Partitioned by the opening of the call, so that all texts of a call share a partition and a repeated text is found there.
create sequence session_text_ids;
create table session_texts (
  text_id bigint not null default nextval('session_text_ids'),
  call_opened_at timestamptz not null,
  session_id bigint not null references video_sessions (session_id),
  sender_id bigint not null references users (id),
  -- The sender's own id of the text: a repeat returns the first answer.
  id text not null,
  text text not null,
  -- The text before masking, for moderation only.
  original text,
  create_time timestamptz not null,
  primary key (text_id, call_opened_at),
  unique (session_id, sender_id, id, call_opened_at)
) partition by range (call_opened_at);
create index session_texts_sender on session_texts (sender_id);
create table session_texts_default partition of session_texts default;

-- For moderators: the clients of the guy and the girl contradict each other.
create table call_flags (
  id bigint generated always as identity primary key,
  session_id bigint not null references video_sessions (session_id),
  user_id bigint not null references users (id),
  about text not null,
  at timestamptz not null
);
create index call_flags_of_call on call_flags (session_id);
create index call_flags_of_user on call_flags (user_id);
create index call_flags_at on call_flags using brin (at);

-- Log lines that clients send about their connection, deleted after some days. There are no foreign keys: their indexes
-- would cost more than the rows.
create table session_logs (
  id bigint generated always as identity primary key,
  session_id bigint not null,
  user_id bigint not null,
  level text not null,
  text text not null,
  at timestamptz not null
);
create index session_logs_at on session_logs using brin (at);

-- Frames of girls in public calls, encrypted in the storage. A null score: no model judged the frame. `sha256` is that of the
-- plain bytes.
create table call_frames (
  frame_id uuid primary key,
  session_id bigint not null references video_sessions (session_id),
  girl_id bigint not null references users (id),
  asked_at timestamptz not null,
  at timestamptz not null,
  sha256 text not null,
  bytes integer not null,
  nudity real,
  model text
);
create unique index call_frames_once on call_frames (session_id, asked_at);
create index call_frames_of on call_frames (girl_id);
create index call_frames_at on call_frames (at);

-- Consequences of frames in a call, at most once each. The frame stays as long as the finding.
create table frame_findings (
  session_id bigint not null references video_sessions (session_id),
  kind text not null check (kind in ('warning', 'end')),
  girl_id bigint not null references users (id),
  frame_id uuid not null,
  statement_id bigint not null references statements (statement_id),
  nudity real not null,
  at timestamptz not null,
  primary key (session_id, kind)
);
create index frame_findings_of on frame_findings (girl_id);
create index frame_findings_at on frame_findings (at);
create index frame_findings_frame on frame_findings (frame_id);

-- Calls in which a page did not send the frames that it was asked for.
create table missing_frames (
  session_id bigint primary key references video_sessions (session_id),
  girl_id bigint not null references users (id),
  asked integer not null,
  received integer not null,
  at timestamptz not null
);
create index missing_frames_of on missing_frames (girl_id);
create index missing_frames_at on missing_frames (at);

-- Each look of staff at the frames of a call.
create table frame_views (
  view_id bigint generated always as identity primary key,
  session_id bigint not null references video_sessions (session_id),
  viewer text not null,
  at timestamptz not null
);
create index frame_views_at on frame_views (at);

alter table statements drop constraint statements_kind_check;
alter table statements add constraint statements_kind_check
  check (kind in ('ban', 'suspension', 'warning', 'call_end', 'absence'));

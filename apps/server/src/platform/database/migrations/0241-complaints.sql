-- Complaints about users, and the panic key, which is a complaint too. Staff decide each once.
create table complaints (
  complaint_id bigint generated always as identity primary key,
  complainer_id bigint not null references users (id),
  accused_id bigint not null references users (id),
  reason text not null,
  comment text not null check (char_length(comment) <= 2000),
  is_panic boolean not null default false,
  session_id bigint references video_sessions (session_id),
  message_id bigint,
  media_id uuid,
  day date not null,
  at timestamptz not null,
  suspension_id bigint references statements (statement_id),
  decision text check (decision in ('no_violation', 'warning', 'ban')),
  decided_at timestamptz,
  decided_by text,
  decision_comment text check (char_length(decision_comment) <= 2000),
  check ((decision is null) = (decided_at is null))
);
create unique index complaints_of_session on complaints (session_id, complainer_id) where session_id is not null;
create unique index complaints_of_day on complaints (complainer_id, accused_id, day) where session_id is null;
create index complaints_waiting on complaints (at) where decided_at is null;
create index complaints_complainer on complaints (complainer_id);
create index complaints_accused on complaints (accused_id);

-- Evidence of complaints in the storage, encrypted: pictures of both sides, and for serious complaints a record of the texts and
-- the course of the call. `sha256` is that of the plain bytes. Sealed evidence outlives every erasure and retention.
create table evidence_files (
  file_id uuid primary key,
  complaint_id bigint not null references complaints (complaint_id),
  kind text not null check (kind in ('complainer', 'accused', 'seen', 'record')),
  user_id bigint not null references users (id),
  sha256 text not null,
  bytes integer not null,
  is_sealed boolean not null,
  at timestamptz not null
);
create unique index evidence_files_once on evidence_files (complaint_id, kind);
create index evidence_files_of on evidence_files (user_id);
create index evidence_files_at on evidence_files (at);

-- Each look of staff at the evidence of a complaint.
create table complaint_views (
  view_id bigint generated always as identity primary key,
  complaint_id bigint not null references complaints (complaint_id),
  viewer text not null,
  at timestamptz not null
);

alter table statements drop constraint statements_kind_check;
alter table statements add constraint statements_kind_check check (kind in ('ban', 'suspension', 'warning'));

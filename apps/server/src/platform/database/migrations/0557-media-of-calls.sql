-- Microphones and cameras that were switched off and on in calls, as the pages reported it.
create table call_media (
  id bigint generated always as identity primary key,
  session_id bigint not null references video_sessions (session_id),
  user_id bigint not null references users (id),
  audio boolean not null,
  video boolean not null,
  at timestamptz not null
);
create index call_media_of_call on call_media (session_id);
create index call_media_of on call_media (user_id);
create index call_media_at on call_media (at);

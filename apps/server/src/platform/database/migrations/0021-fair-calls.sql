-- Contradicting reports: the time that they cover, and whether the guy's word counted when the call opened.
alter table video_sessions
  drop column doubt,
  add column guy_trusted boolean not null default true,
  add column contradicted_ms integer not null default 0,
  add column contradicted_until timestamptz;

-- The other party of the flagged call: the rules count different partners. `until` is the end of a consequence.
alter table call_flags
  add column partner_id bigint references users (id),
  add column until timestamptz;
update call_flags set partner_id = video_sessions.guy_id + video_sessions.girl_id - call_flags.user_id
  from video_sessions where video_sessions.session_id = call_flags.session_id;
alter table call_flags alter column partner_id set not null;
create index call_flags_of_partner on call_flags (partner_id);
drop index call_flags_of_user;
create index call_flags_of_user on call_flags (user_id, at);

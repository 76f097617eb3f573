-- Retention asks for each frame of a call whether a finding is about this call.
create index findings_of_call on findings (session_id) where session_id is not null;

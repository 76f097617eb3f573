-- Both columns in one direction, so that a page of a history names its place as one pair of values. The keys of the calls
-- cannot serve such a page: of a user with many former calls and no recent one they would be read from the newest call of all.
drop index video_sessions_of_guy;
drop index video_sessions_of_girl;
create index video_sessions_of_guy on video_sessions (guy_id, session_id);
create index video_sessions_of_girl on video_sessions (girl_id, session_id);

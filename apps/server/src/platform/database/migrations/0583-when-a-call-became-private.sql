-- `private_from` counts good seconds, so it does not tell the time of a call with pauses.
alter table video_sessions add column private_at timestamptz;

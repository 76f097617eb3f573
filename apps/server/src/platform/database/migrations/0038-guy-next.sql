-- The guy left with the wish to search again at once: a server process that finds the closed call later reads it here.
alter table video_sessions add column guy_next boolean not null default false;

-- Too many users have the picture, or too many were hidden that day: its copies wait for staff or the end of the time.
alter table reports add column copies_wait boolean not null default false;

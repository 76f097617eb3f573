-- The blurred form of a picture is public. It has an id of its own, because the picture's id opens the other sizes to
-- viewers who have confirmed their age.
alter table media add column blurred_id uuid not null default gen_random_uuid();
create unique index media_blurred on media (blurred_id);

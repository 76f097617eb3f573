-- Safe video covers the picture of a partner: a member has to ask for it. Guests have no such choice.
alter table users alter column safe_video set default false;
update users set safe_video = false where role is null and safe_video;

-- All members who may be the one set up: the maker of the link, and who stood behind the maker when it was used.
alter table staff_members add column set_up_behind bigint[] not null default '{}';
update staff_members set set_up_behind = array[set_up_by] where set_up_by is not null;

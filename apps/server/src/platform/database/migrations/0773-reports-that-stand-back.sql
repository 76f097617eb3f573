-- A form that names no known member or picture, or a further one of its network that day: after the others of its kind.
alter table reports add column stands_back boolean not null default false;

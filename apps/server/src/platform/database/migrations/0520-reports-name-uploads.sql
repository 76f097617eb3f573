-- Too many uploads were named that day: those that this form names are hidden only by a person.
alter table reports add column names_wait boolean not null default false;

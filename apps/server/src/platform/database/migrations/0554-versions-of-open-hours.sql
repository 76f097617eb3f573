-- Counts the saves of a week: a save names the week that it replaces, so it never overwrites one that its page has not shown.
alter table date_hours add column version bigint not null default 1;

-- The state within the country of the last connection, where a proxy or the table names one: `TX`. Null: unknown.
alter table users add column region text check (region ~ '^[A-Z0-9]{1,3}$');

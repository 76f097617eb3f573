-- Finds logins that have not been used for long. Not by used_at: an index on a column that every AUTH changes would cost each
-- of them an entry in every index of the table.
create index logins_open on logins (created_at) where ended_at is null;

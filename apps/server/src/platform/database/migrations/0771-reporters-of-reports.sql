-- A keyed hash of the contact or the account, to recognise a reporter again. Null: older than this column.
alter table reports add column reporter_hash bytea;

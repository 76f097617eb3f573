-- A picture that was locked when its message was read, because the reader had not confirmed the age: the hour after which it
-- vanishes begins at the confirmation.
alter table messages add column read_locked boolean not null default false;
create index messages_read_locked on messages (receiver_id) where read_locked;

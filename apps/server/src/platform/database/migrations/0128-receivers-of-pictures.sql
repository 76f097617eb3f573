-- A picture of a dialog is evidence of its receiver too: a hold on one of the two keeps it.
alter table media add column receiver_id bigint references users(id);
update media set receiver_id = messages.receiver_id from messages where messages.media_id = media.id;
create index media_received on media (receiver_id) where receiver_id is not null;

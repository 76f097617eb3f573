-- The user was told by push of a message in this dialog, and has read none since: no further push message is sent for it.
alter table dialog_members add column pushed boolean not null default false;

-- Mails about unread messages: when the next one is to be decided, and when the last one was sent.
create table message_mails (
  user_id bigint primary key references users (id),
  due_at timestamptz,
  mailed_at timestamptz
) with (fillfactor = 70);
create index message_mails_due on message_mails (due_at) where due_at is not null;

-- The messenger: dialogs of a guy and a girl, each with a view of its own for either of them.

-- Ids of messages rise within a dialog, because they are drawn while the row of the dialog is locked. They are unique in
-- the whole installation. The numbers by which dialogs are ordered come from the same sequence.
create sequence message_ids as bigint;

create table dialogs (
  id bigint generated always as identity primary key,
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  created_at timestamptz not null,
  last_message_id bigint,
  -- Her message or her like gives a guy without Premium the right to write.
  guy_wrote boolean not null default false,
  girl_wrote boolean not null default false,
  girl_liked boolean not null default false,
  -- Her messages since his last one.
  girl_unanswered integer not null default 0 check (girl_unanswered >= 0),
  -- Digests of her last texts: the same text again earns nothing.
  girl_digests text[] not null default '{}',
  unique (guy_id, girl_id)
) with (fillfactor = 70);
create index dialogs_girl on dialogs (girl_id);

-- How one of the two sees a dialog. A row changes only while the row of its dialog is locked.
create table dialog_members (
  dialog_id bigint not null references dialogs (id) on delete cascade,
  user_id bigint not null,
  interlocutor_id bigint not null,
  activity_id bigint not null,
  -- The user deleted the dialog, or it was opened by the other and has no message yet: for this user it does not exist.
  hidden boolean not null,
  -- Messages up to this one are not in the view of this user.
  cleaned_to bigint not null default 0,
  unread integer not null default 0 check (unread >= 0),
  favourite boolean not null default false,
  -- The user is deleted and nothing of theirs is left in the dialog.
  erased boolean not null default false,
  primary key (dialog_id, user_id)
) with (fillfactor = 70);
create unique index dialog_members_list on dialog_members (user_id, activity_id) where not hidden;
create index dialog_members_unread on dialog_members (user_id, activity_id) where not hidden and unread > 0;
create index dialog_members_favourites on dialog_members (user_id, activity_id) where not hidden and favourite;
create index dialog_members_of on dialog_members (user_id, dialog_id) where not erased;

-- The unread messages of a user in all dialogs: a counter, because a sum would cost more with every dialog.
create table unread_counts (
  user_id bigint primary key,
  count integer not null check (count >= 0)
) with (fillfactor = 70);

-- Without foreign keys: they would lock three more rows for each message, and only this module writes here.
create table messages (
  id bigint primary key,
  dialog_id bigint not null,
  sender_id bigint not null,
  receiver_id bigint not null,
  type text not null check (type in ('text', 'image', 'gift', 'like', 'call', 'system')),
  text text not null,
  -- The sender's name for this message and the digest of what was asked under it: a repeat has no second effect.
  random_id text,
  asked text,
  create_time timestamptz not null,
  read_at timestamptz,
  -- The credits that the sender paid, and the coins that the sender earned.
  price integer not null default 0 check (price >= 0),
  reward units not null default 0 check (reward >= 0),
  -- The message that earned the reward for answering this paid one.
  answered_by bigint,
  vanish_at timestamptz,
  -- Since then its text is not here any more.
  removed_at timestamptz,
  check ((random_id is null) = (asked is null)),
  check (removed_at is null or text = '')
);
create unique index messages_of_dialog on messages (dialog_id, id);
create unique index messages_once on messages (sender_id, random_id) where random_id is not null;
create index messages_unanswered on messages (dialog_id, create_time) where price > 0 and answered_by is null;
create index messages_vanishing on messages (vanish_at) where vanish_at is not null and removed_at is null;
create index messages_vanishing_of on messages (receiver_id) where vanish_at is not null and removed_at is null;

-- For staff: the text of a message before contact details were masked in it.
create table message_originals (
  message_id bigint primary key,
  dialog_id bigint not null,
  sender_id bigint not null,
  text text not null,
  at timestamptz not null
);
create index message_originals_sender on message_originals (sender_id);
create index message_originals_at on message_originals using brin (at);

-- Free messages that a guy used on a day of the product.
create table free_messages (
  user_id bigint not null references users (id),
  day date not null,
  used integer not null check (used > 0),
  primary key (user_id, day)
) with (fillfactor = 70);
create index free_messages_day on free_messages using brin (day);

-- A message of type image carries one upload, and an upload is carried by one message.
alter table messages
  add column media_id uuid,
  -- Staff have not decided about the picture yet: its receiver does not see it, and no time to vanish runs.
  add column picture_waits boolean not null default false,
  add constraint messages_media_check check (media_id is null or type = 'image');
create unique index messages_of_media on messages (media_id) where media_id is not null;

-- `dialog`: the two users of the dialog whose message carries it, while they see the message.
alter table media drop constraint media_audience_check;
alter table media add constraint media_audience_check
  check (audience in ('everyone', 'premium', 'adult', 'owner', 'dialog'));

-- A removed message, so that it can come back. Its text is empty for a picture.
alter table removals add column message_id bigint;
alter table removals drop constraint removals_check;
alter table removals add constraint removals_check
  check (num_nonnulls(media_id, field, message_id) = 1 and (media_id is null) = (text is not null));

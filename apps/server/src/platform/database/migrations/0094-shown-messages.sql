-- Pages of a dialog and its last message pass over removed messages without reading them.
create index messages_shown on messages (dialog_id, id) where removed_at is null;

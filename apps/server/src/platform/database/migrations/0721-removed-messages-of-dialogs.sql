-- Evidence has the last messages of a dialog with those that were removed. The index of the others leaves these out.
create index messages_removed on messages (dialog_id, id) where removed_at is not null;

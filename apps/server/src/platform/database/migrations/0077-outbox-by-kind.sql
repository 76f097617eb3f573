-- Each kind is claimed by itself, however many rows of another kind are due before.
drop index outbox_due;
create index outbox_due on outbox (kind, due_at) where done_at is null and dead_at is null;

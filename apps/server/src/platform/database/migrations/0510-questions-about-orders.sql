-- An order that is not paid is asked about at its provider several times after its end: the notice of a payment may be
-- lost while the provider cannot be reached, or a payment may still wait for its confirmation.
-- The time of the next question. Null: there is none.
alter table orders add column ask_at timestamptz;
-- How often the job has asked.
alter table orders add column questions smallint not null default 0;
update orders set ask_at = expires_at where state in ('created', 'sent');
drop index orders_waiting;
create index orders_to_ask on orders (ask_at) where ask_at is not null and state in ('created', 'sent', 'failed', 'expired');

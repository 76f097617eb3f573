-- The difference for which an order waits for staff.
alter table orders add column quarantined_why text;
update orders set quarantined_why = (
    select why from payment_callbacks where payment_callbacks.order_id = orders.order_id and verdict = 'refused'
    order by callback_id desc limit 1)
where state = 'quarantined';

-- A refused callback waits until a member of staff settles it.
alter table payment_callbacks add column settled_at timestamptz, add column settled_by text, add column settled_why text,
  add constraint payment_callbacks_settled check (
    (settled_at is null) = (settled_by is null) and (settled_at is null) = (settled_why is null));
-- Older ones never waited: their orders were decided at the shell.
update payment_callbacks set settled_at = received_at, settled_by = 'upgrade', settled_why = 'Received before refused callbacks waited for staff'
where verdict = 'refused' and not exists (
  select from orders where orders.order_id = payment_callbacks.order_id and orders.state = 'quarantined');
create index payment_callbacks_by_verdict on payment_callbacks (verdict, callback_id desc)
  where verdict in ('refused', 'unverified');
create index payment_callbacks_waiting on payment_callbacks (callback_id)
  where verdict = 'refused' and settled_at is null;

-- Decisions of staff about orders. Before this table such a decision was a callback that no provider sent: those stay as they are.
create table order_acts (
  act_id bigint generated always as identity primary key,
  order_id bigint not null references orders (order_id),
  act text not null check (act in ('order_credit', 'order_refund', 'order_chargeback')),
  place text not null check (place in ('shell', 'office')),
  decided_by text not null,
  reason text not null,
  at timestamptz not null
);
create index order_acts_of_order on order_acts (order_id, act_id);
select guard_append_only('order_acts');

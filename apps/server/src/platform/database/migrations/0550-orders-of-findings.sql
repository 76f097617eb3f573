-- A finding about a payment names its order, so that staff can look at it.
alter table findings add column order_id bigint;
update findings set order_id = split_part(key, ':', 2)::bigint where kind = 'chargeback';

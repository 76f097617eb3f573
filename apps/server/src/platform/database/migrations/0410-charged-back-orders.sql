-- The accounts with a chargeback are listed for staff.
create index orders_charged_back on orders (user_id) where state = 'charged_back';

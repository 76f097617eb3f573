-- Reads that looked at the whole history: the decided complaints, payment callbacks without an order, and the decisions of a shift.
create index complaints_decided on complaints (decided_at desc) where decided_at is not null;
drop index payment_callbacks_received;
create index payment_callbacks_stray on payment_callbacks (received_at) where order_id is null;
create index audit_entries_of_shift on audit_entries (staff_id, at) where staff_id is not null;
-- No code read it: the audit log has every look at a complaint.
drop table complaint_views;

-- The complaint that a report belongs to: it was made inside the product. Null: a public form.
alter table reports add column complaint_id bigint references complaints (complaint_id) on delete set null;
create index reports_complaint on reports (complaint_id) where complaint_id is not null;

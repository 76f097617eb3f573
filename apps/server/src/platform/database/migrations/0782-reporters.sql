-- The user who complained inside the product of the picture of a report. Null: a public form, which names no user.
alter table reports add column reporter_id bigint references users (id);
update reports set reporter_id = complaints.complainer_id from complaints
  where complaints.complaint_id = reports.complaint_id;
create index reports_reporter on reports (reporter_id) where reporter_id is not null;

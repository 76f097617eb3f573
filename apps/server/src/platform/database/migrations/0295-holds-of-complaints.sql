-- The hold that a serious complaint placed on the data of the accused: it ends when staff find no violation. A serious
-- complaint of a stranger has none, and waits behind those that have one.
alter table complaints add column hold_id bigint;
create index complaints_suspension on complaints (suspension_id) where suspension_id is not null;
create index complaint_views_of on complaint_views (complaint_id);

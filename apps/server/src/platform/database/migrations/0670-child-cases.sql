-- A case that staff open has no complainer. Of one user there is one such case at a time.
alter table complaints alter column complainer_id drop not null;
alter table complaints add column opened_by text;
alter table complaints add constraint complaints_source check ((complainer_id is null) = (opened_by is not null));
create unique index complaints_opened on complaints (accused_id) where opened_by is not null and decided_at is null;
-- When staff were last alarmed about a report of a child.
alter table reports add column alarmed_at timestamptz;

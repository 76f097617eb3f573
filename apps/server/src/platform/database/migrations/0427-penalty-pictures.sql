-- The screenshot of a penalty: encrypted, uploaded before the penalty, and deleted after a day without one.
create table penalty_pictures (
  picture_id uuid primary key,
  statement_id bigint unique references penalties (statement_id),
  uploaded_by text not null,
  content bytea not null,
  at timestamptz not null
);
create index penalty_pictures_unused on penalty_pictures (at) where statement_id is null;

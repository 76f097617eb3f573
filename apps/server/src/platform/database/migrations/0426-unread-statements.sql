-- A warning or a removal is shown until its user has read it; any statement may be taken back.
alter table statements add column read_at timestamptz;
update statements set read_at = at;
create index statements_unread on statements (user_id, statement_id) where read_at is null;
alter table statements add column taken_back_at timestamptz;
alter table statements add column taken_back_by text;
alter table statements add check ((taken_back_at is null) = (taken_back_by is null));
alter table statements drop constraint statements_kind_check;
alter table statements add constraint statements_kind_check
  check (kind in ('ban', 'suspension', 'warning', 'call_end', 'absence', 'penalty', 'photo', 'text'));

-- The removed thing of a statement, so that it can come back.
create table removals (
  statement_id bigint primary key references statements (statement_id),
  user_id bigint not null references users (id),
  -- No foreign key: the statement outlives the upload.
  media_id uuid,
  field text check (field in ('nick', 'about')),
  text text,
  -- Null: the removal stands. False: what was removed could not come back.
  restored boolean,
  check ((media_id is null) = (field is not null and text is not null))
);
create index removals_of on removals (user_id);
create index removals_of_upload on removals (media_id) where media_id is not null;

-- Why the operator changed a setting; and every change, so that a later one does not hide it.
alter table settings add column reason text;
create table setting_changes (
  id bigint generated always as identity primary key,
  key text not null,
  value jsonb not null,
  changed_at timestamptz not null,
  changed_by text not null,
  reason text
);
create index setting_changes_of_key on setting_changes (key, id);

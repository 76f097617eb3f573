-- A girl who may not accept gifts has a statement that says why.
alter table statements drop constraint statements_kind_check,
  add constraint statements_kind_check check (kind in (
    'ban', 'suspension', 'warning', 'call_end', 'absence', 'penalty', 'photo', 'text', 'gifts'));

-- Acts that let something through, or do nothing about it, stop themselves, too.
alter table bulk_acts drop constraint bulk_acts_kind_check,
  add constraint bulk_acts_kind_check check (kind in ('ban', 'penalty', 'removal', 'money', 'warning', 'lift',
    'dismissal', 'approval', 'verification', 'pass'));
alter table bulk_stops drop constraint bulk_stops_kind_check,
  add constraint bulk_stops_kind_check check (kind in ('ban', 'penalty', 'removal', 'money', 'warning', 'lift',
    'dismissal', 'approval', 'verification', 'pass'));

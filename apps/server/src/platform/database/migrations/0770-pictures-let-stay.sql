-- When staff took the removal of the picture by this report back.
alter table report_pictures add column let_stay_at timestamptz;

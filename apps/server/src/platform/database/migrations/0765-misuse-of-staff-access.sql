-- The users whose cases a member of staff has claimed, with the latest time.
create table staff_case_users (
  staff_id bigint not null references staff_members (id),
  user_id bigint not null,
  at timestamptz not null,
  primary key (staff_id, user_id)
);
create index staff_case_users_at on staff_case_users (at);
create index staff_case_users_of on staff_case_users (user_id);

-- Alarms that the owners got about the looks of a member: each pattern once a day.
create table staff_alarms (
  alarm_id bigint generated always as identity primary key,
  staff_id bigint not null references staff_members (id),
  pattern text not null check (pattern in ('looks_without_case', 'linked_accounts')),
  day date not null,
  looks bigint not null,
  at timestamptz not null,
  unique (staff_id, pattern, day)
);
create index staff_alarms_at on staff_alarms (at);

-- Browsers in which a member of staff switched alarms on. They stay after a session ends: an alarm is for people who are away.
create table staff_push (
  push_id bigint generated always as identity primary key,
  staff_id bigint not null references staff_members (id),
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  at timestamptz not null
);
create index staff_push_of on staff_push (staff_id, at);

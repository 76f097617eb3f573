-- The member of staff who made a one-time link, and whose link a member was set up by; null: the operator's shell.
alter table staff_links add column made_by bigint references staff_members (id);
alter table staff_members add column set_up_by bigint references staff_members (id),
  add column set_up_at timestamptz;

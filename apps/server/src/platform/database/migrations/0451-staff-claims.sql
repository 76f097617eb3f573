-- The cases that members of staff have at the moment. `item`: the number or uuid of the case within its queue.
create table staff_claims (
  queue text not null check (length(queue) <= 20),
  item text not null check (length(item) <= 40),
  staff_id bigint not null references staff_members (id),
  until timestamptz not null,
  primary key (queue, item)
);
create index staff_claims_of on staff_claims (staff_id);
create index staff_claims_ended on staff_claims (until);

-- How far a user has cleared their own history of calls: the calls up to this one, and the rings up to this time.
create table cleared_histories (
  user_id bigint primary key references users (id),
  session_id bigint not null,
  at timestamptz not null
);

-- The last talk of two users, so that the list of guys of a girl does not read her calls and their users.
create table talks (
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  last_at timestamptz not null,
  -- A copy of the guy's, so that one index has the whole list.
  premium_until timestamptz,
  primary key (guy_id, girl_id)
);
create index talks_of_girl on talks (girl_id, last_at desc) include (guy_id, premium_until);
create index talks_at on talks (last_at);

insert into talks (guy_id, girl_id, last_at, premium_until)
select guy_id, girl_id, max(connected_at), max(premium_until)
from video_sessions join users on users.id = guy_id
where connected_at > now() - interval '30 days' and users.erased_at is null
group by guy_id, girl_id;

-- Pictures of users. The files are in the storage under this id, one for each size.
create table media (
  id uuid primary key,
  owner_id bigint not null references users (id),
  product text not null,
  kind text not null check (kind in ('photo', 'video')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  status text not null check (status in ('ready', 'pending', 'removed')),
  reason text,
  created_at timestamptz not null
);
create index media_of on media (owner_id, product, created_at);

alter table users add column avatar_id uuid references media (id);
create index users_avatar on users (avatar_id) where avatar_id is not null;

-- The demo users, by the name of their portrait.
create table cast_members (
  name text primary key,
  user_id bigint not null unique references users (id)
);

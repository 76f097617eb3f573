-- Uploads: who may see one, how many bytes its files have, and which files have no row yet.
alter table media drop constraint media_status_check;
alter table media add constraint media_status_check
  check (status in ('ready', 'pending', 'removed', 'processing', 'failed'));
alter table media
  add column audience text not null default 'everyone'
    check (audience in ('everyone', 'premium', 'adult', 'owner')),
  add column bytes bigint not null default 0 check (bytes >= 0),
  add column reviewed_at timestamptz;
create index media_waiting on media (created_at) where status = 'pending';
create index media_reviewed on media (reviewed_at) where status = 'removed';
create index media_private on media (created_at) where audience = 'owner';

-- The id of files that are being stored; their row of media takes it over in its own transaction. What stays here belongs
-- to an upload that a crash or an error ended: a job deletes its files.
create table media_drafts (
  id uuid primary key,
  created_at timestamptz not null
);
create index media_drafts_at on media_drafts (created_at);

-- The avatar that waits for review; until then the former one is shown.
alter table users drop constraint users_avatar_id_fkey;
alter table users
  add constraint users_avatar_id_fkey foreign key (avatar_id) references media (id) on delete set null,
  add column next_avatar_id uuid references media (id) on delete set null,
  -- The user wants to see the adult gallery.
  add column shows_adult boolean not null default false;
create index users_next_avatar on users (next_avatar_id) where next_avatar_id is not null;

create table gallery_items (
  media_id uuid primary key references media (id) on delete cascade,
  owner_id bigint not null references users (id),
  kind text not null check (kind in ('photo', 'video')),
  title text,
  premium_only boolean not null,
  adult boolean not null,
  -- When the owner agreed that this item is shown in the adult gallery, and to which text.
  consent_at timestamptz,
  consent_version text,
  -- When staff approved it for the adult gallery.
  adult_approved_at timestamptz,
  position integer not null,
  likes integer not null default 0 check (likes >= 0),
  check ((consent_at is null) = (consent_version is null))
);
create index gallery_items_of on gallery_items (owner_id, kind, position);
create index gallery_items_adult on gallery_items (adult_approved_at) where adult and consent_at is not null;

create table gallery_likes (
  media_id uuid not null references gallery_items (media_id) on delete cascade,
  user_id bigint not null references users (id),
  at timestamptz not null,
  primary key (media_id, user_id)
);
create index gallery_likes_of on gallery_likes (user_id);

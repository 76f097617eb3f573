-- Pictures that are not accepted again, by a hash that survives scaling and compression.
create table known_pictures (
  id bigint generated always as identity primary key,
  hash bit(256) not null,
  -- The 16 parts of 16 bits, each with its place. Two hashes that differ in at most 31 bits have a part that differs in at
  -- most one bit, so a search by parts finds every such hash without reading the others.
  parts integer[] not null,
  reason text not null,
  -- The upload that staff refused; null for a hash of a list.
  media_id uuid unique,
  -- Only this user may not upload it; null: no user may.
  owner_id bigint references users (id),
  -- The list that it came from.
  list text,
  created_at timestamptz not null,
  check (media_id is not null or list is not null)
);
create index known_pictures_parts on known_pictures using gin (parts) with (fastupdate = off);
create index known_pictures_of on known_pictures (owner_id) where owner_id is not null;
create index known_pictures_at on known_pictures (created_at);
create unique index known_pictures_listed on known_pictures (hash) where media_id is null;

-- The findings of the checks at each upload, also at those that were refused and have no other row.
create table image_checks (
  id bigint generated always as identity primary key,
  media_id uuid not null,
  owner_id bigint not null references users (id),
  product text not null,
  verdict text not null check (verdict in ('ready', 'pending', 'refused')),
  reason text,
  -- Null when no model has judged the picture.
  nudity real check (nudity between 0 and 1),
  model text,
  model_version text,
  -- 64 hexadecimal digits; null for a picture with too little in it to be recognised.
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  known_picture_id bigint references known_pictures (id) on delete set null,
  checked_at timestamptz not null,
  check ((nudity is null) = (model is null))
);
create index image_checks_media on image_checks (media_id);
create index image_checks_of on image_checks (owner_id, id);
create index image_checks_at on image_checks (checked_at);
create index image_checks_known on image_checks (known_picture_id) where known_picture_id is not null;

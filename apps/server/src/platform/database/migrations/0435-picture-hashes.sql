-- The hash of each stored picture, and of the still of each video, so that its copies are found. Without a hash: the picture
-- has too little in it to be recognised.
create table picture_hashes (
  media_id uuid primary key references media (id) on delete cascade,
  hash bit(256),
  -- As in known_pictures.
  parts integer[] not null default '{}'
);
create index picture_hashes_parts on picture_hashes using gin (parts);

-- A job hashes the pictures of which no check is kept any more.
insert into picture_hashes (media_id, hash, parts)
select distinct on (media_id) media_id, ('x' || hash)::bit(256), (
  select array_agg(part * 65536 + ('x' || substr(hash, 1 + part * 4, 4))::bit(16)::integer) from generate_series(0, 15) as part)
from image_checks join media on media.id = image_checks.media_id
where hash is not null order by media_id, image_checks.id desc;

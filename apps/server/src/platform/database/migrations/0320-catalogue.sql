-- A row for each girl that lists may show: verified, with an approved avatar, neither banned nor leaving. The row is a copy of
-- what the pages of the catalogue are sorted and searched by, so that a page reads as many rows as it shows.
create table catalogue_girls (
  girl_id bigint primary key references users (id),
  -- 0 is the best: TOP, then the Camscore from excellent to terrible.
  rank smallint not null check (rank >= 0),
  -- The nick in lower case without accents, in the order of its bytes.
  name text collate "C" not null,
  locale text not null,
  verified_ms bigint not null,
  is_online boolean not null,
  -- In milliseconds: since when she is online. Negative while she is offline: when she left. So the smallest comes first.
  place bigint not null
);
create index catalogue_best on catalogue_girls (is_online, rank, place, girl_id);
create index catalogue_best_by_language on catalogue_girls (locale, is_online, rank, place, girl_id);
create index catalogue_newest on catalogue_girls (is_online, verified_ms, girl_id);
create index catalogue_newest_by_language on catalogue_girls (locale, is_online, verified_ms, girl_id);
create index catalogue_latest on catalogue_girls (is_online, place, girl_id);
create index catalogue_latest_by_language on catalogue_girls (locale, is_online, place, girl_id);
create index catalogue_names on catalogue_girls (name, girl_id);
create index catalogue_names_by_language on catalogue_girls (locale, name, girl_id);
-- The end of the time in which a girl is new.
create index catalogue_trials on catalogue_girls (rank, verified_ms);

-- The users that one user likes, the newest first.
create index likes_given on likes (liker_id, at desc, liked_id);

insert into catalogue_girls (girl_id, rank, name, locale, verified_ms, is_online, place)
select girl.id, case when girl.verified_at > now() - interval '7 days' then 3 else 4 end,
  lower(girl.nick), girl.locale, floor(extract(epoch from girl.verified_at) * 1000),
  false, -floor(extract(epoch from coalesce(girl.last_visit, girl.registered_at)) * 1000)
from users girl join media picture on picture.id = girl.avatar_id
where girl.role = 'girl' and girl.erased_at is null and girl.deletion_asked_at is null and girl.sanction_id is null
  and girl.verified_at is not null and picture.status = 'ready';

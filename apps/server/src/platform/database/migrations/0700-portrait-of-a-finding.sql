-- The portrait that had the face of a banned user. It stays here when the portrait is deleted, so staff know that it is gone.
alter table findings add column media_id uuid;
-- A portrait is marked as compared at the moment of its findings.
update findings set media_id = compared_portraits.media_id
from compared_portraits join media on media.id = compared_portraits.media_id
where findings.kind = 'banned_face' and media.owner_id = findings.user_id and compared_portraits.at = findings.at;

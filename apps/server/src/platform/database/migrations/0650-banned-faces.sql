-- The faces of banned users, only with the setting face_matching. Without numbers: the picture does not show exactly one face.
create table banned_faces (
  media_id uuid primary key references media (id) on delete cascade,
  user_id bigint not null references users (id),
  face real[],
  mirrored real[],
  at timestamptz not null,
  check ((face is null) = (mirrored is null))
);
create index banned_faces_of on banned_faces (user_id);

-- The portraits that were compared with them. No face of these users is kept.
create table compared_portraits (
  media_id uuid primary key references media (id) on delete cascade,
  at timestamptz not null
);
create index compared_portraits_at on compared_portraits (at);
create index media_portraits on media (created_at) where product = 'avatar' and status = 'ready';

alter table findings drop constraint findings_kind_check,
  add constraint findings_kind_check check (kind in (
    'nudity', 'absence', 'contradiction', 'never_reported', 'chargeback', 'referral', 'linked',
    'banned_device', 'banned_passkey', 'banned_instrument', 'banned_wallet', 'banned_picture', 'banned_face'));

-- The reports of the public forms. Contact and words are encrypted.
create table reports (
  report_id bigint generated always as identity primary key,
  kind text not null check (kind in ('intimate_image', 'content', 'authority')),
  receipt text not null unique,
  -- Of the secret of the state page.
  secret_hash bytea not null unique,
  -- Of what was sent: the same secret with other words is no repeat.
  content_hash bytea not null,
  sealed text not null,
  reason text not null,
  locale text not null,
  filed_at timestamptz not null,
  answer_until timestamptz not null,
  decision text check (decision in ('upheld', 'rejected')),
  decided_at timestamptz,
  decided_by text,
  answer text,
  -- Every copy has what the decision demands.
  settled_at timestamptz,
  check ((decision is null) = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null)),
  check ((answer is null) = (decided_at is null)),
  check (settled_at is null or decided_at is not null)
);
create index reports_open on reports (answer_until) where decided_at is null;
create index reports_unsettled on reports (report_id) where kind = 'intimate_image' and settled_at is null;
create index reports_decided on reports (decided_at);
create index reports_filed on reports (filed_at);

-- The pictures that a report is about, as hashes of 64 hexadecimal digits: of the picture that came with the form and was not
-- kept, and of the uploads that the form names.
create table report_hashes (
  report_id bigint not null references reports (report_id) on delete cascade,
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  mirrored text not null check (mirrored ~ '^[0-9a-f]{64}$'),
  primary key (report_id, hash)
);
create index report_hashes_hash on report_hashes (hash);

-- The uploads that show the picture of a report. An upload may be deleted before its row here is.
create table report_pictures (
  report_id bigint not null references reports (report_id) on delete cascade,
  media_id uuid not null,
  -- Before the report hid it.
  status_before text not null,
  found_at timestamptz not null,
  primary key (report_id, media_id)
);
create index report_pictures_media on report_pictures (media_id);

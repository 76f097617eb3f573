-- Checks of identity: one row for each request of a user, from the documents to the end of what they prove. While a check
-- is open (being decided, or valid until the document expires) a server process owns it.
create sequence identity_check_ids as bigint;
create table identity_checks (
  check_id bigint primary key,
  user_id bigint not null references users (id),
  provider text not null check (provider in ('staff', 'sumsub')),
  state text not null check (state in ('checking', 'verified', 'declined', 'ended')),
  reason text,
  document_type text,
  document_country text,
  gesture text,
  -- The challenge that the documents came with: a repeated upload finds its check by it.
  challenge_id uuid unique,
  -- The written consent of the user: which text, and when. Absent where no documents came with the request.
  consent_version text,
  consent_at timestamptz,
  opened_at timestamptz not null,
  decided_at timestamptz,
  -- The staff member, the operator or the provider.
  decided_by text,
  -- The end of the document's validity; null: none is known.
  expires_at timestamptz,
  warnings integer not null default 0,
  wake_at timestamptz,
  closed_at timestamptz,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  check ((state in ('declined', 'ended')) = (closed_at is not null)),
  check ((state = 'checking') = (decided_at is null))
);
create unique index identity_checks_one_checking on identity_checks (user_id) where state = 'checking';
create unique index identity_checks_one_verified on identity_checks (user_id) where state = 'verified';
create index identity_checks_of on identity_checks (user_id, check_id desc);
create index identity_checks_waiting on identity_checks (opened_at) where state = 'checking';
create index identity_checks_owned on identity_checks (owner_id) where state in ('checking', 'verified');
create index identity_checks_closed on identity_checks (closed_at) where closed_at is not null;

-- The encrypted pictures of documents. The row has the key of its file, wrapped by a key that is not in the database: a
-- deleted row makes the file unreadable, wherever copies of it are.
create table identity_documents (
  document_id uuid primary key,
  user_id bigint not null references users (id),
  -- Null between the storing of the files and the request that they belong to.
  check_id bigint references identity_checks (check_id),
  side text not null check (side in ('front', 'back', 'selfie')),
  wrapped_key bytea not null,
  -- The id of the key that wraps it.
  key_id text not null,
  created_at timestamptz not null,
  decided_at timestamptz
);
create index identity_documents_of on identity_documents (user_id);
create index identity_documents_of_check on identity_documents (check_id);
create index identity_documents_unused on identity_documents (created_at) where check_id is null;
create index identity_documents_decided on identity_documents (decided_at) where decided_at is not null;
create index identity_documents_key on identity_documents (key_id, document_id);

-- Every look at documents, by staff or the operator.
create table identity_document_views (
  view_id bigint generated always as identity primary key,
  check_id bigint not null,
  user_id bigint not null references users (id),
  viewer text not null,
  at timestamptz not null
);
create index identity_document_views_of on identity_document_views (user_id);
create index identity_document_views_at on identity_document_views (at);

-- The gesture that a user shows on the next selfie: used once, and for a short time.
create table identity_challenges (
  user_id bigint primary key references users (id),
  challenge_id uuid not null,
  gesture text not null,
  expires_at timestamptz not null
);
create index identity_challenges_expired on identity_challenges (expires_at);

-- Users at the provider of identity checks. The provider names a user by our own key and sends notices in any order, so the
-- time of the newest one that counted is kept.
create table kyc_applicants (
  applicant_id text primary key check (char_length(applicant_id) <= 200),
  user_id bigint not null references users (id),
  notice_at timestamptz not null,
  answer text not null check (answer in ('open', 'green', 'red')),
  -- Red for good: the user may not try again.
  is_final boolean not null
);
create index kyc_applicants_of on kyc_applicants (user_id);

-- Notices that arrived with a valid signature, each once.
create table kyc_notices (
  digest text primary key,
  applicant_id text not null,
  correlation_id text not null,
  type text not null,
  created_at timestamptz not null,
  received_at timestamptz not null,
  unique (applicant_id, correlation_id, type, created_at)
);
create index kyc_notices_received on kyc_notices (received_at);

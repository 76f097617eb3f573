-- Proofs of age by a provider: that it was proven, how and until when. Neither a birthday nor a picture is stored.
create table age_proofs (
  proof_id uuid primary key,
  user_id bigint not null references users (id),
  provider text not null,
  session_id text not null check (char_length(session_id) <= 200),
  country text not null,
  rule_version text not null,
  threshold integer not null,
  state text not null check (state in ('pending', 'passed', 'failed', 'expired')),
  method text,
  evidence_ref text,
  started_at timestamptz not null,
  decided_at timestamptz,
  expires_at timestamptz,
  unique (provider, session_id)
);
create index age_proofs_of on age_proofs (user_id, started_at desc);
create index age_proofs_started on age_proofs (started_at);

-- Answers of HTTP requests with an Idempotency-Key. A row without an answer is a claim: its request is running, or its
-- process died and the claim expires.
create table idempotent_answers (
  user_id int8 not null,
  key text not null check (length(key) <= 128),
  -- The endpoint and its input.
  request_hash bytea not null,
  claim uuid not null,
  claimed_until timestamptz not null,
  answer jsonb,
  created_at timestamptz not null,
  primary key (user_id, key)
);
create index idempotent_answers_created on idempotent_answers using brin (created_at);

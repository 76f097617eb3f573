-- Captchas that were passed: a solution is not accepted again. A challenge is signed by the server, and nothing is stored
-- about it before its solution.
create table passed_captchas (
  once_key text primary key,
  expires_at timestamptz not null
);
create index passed_captchas_expired on passed_captchas (expires_at);

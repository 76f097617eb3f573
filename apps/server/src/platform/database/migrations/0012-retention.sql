-- The last run of each retention rule, for the operator.
create table retention_runs (
  rule text primary key,
  ran_at timestamptz not null,
  keep_days int4 not null,
  deleted int8 not null,
  -- False: the run reached its bound and the next one continues.
  is_complete boolean not null,
  error text
);
create index session_texts_original on session_texts (create_time) where original is not null;

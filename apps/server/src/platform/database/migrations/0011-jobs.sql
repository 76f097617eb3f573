-- A job is delivered at least once; its effect happens in the transaction that could insert its period here.
create table job_periods (
  job text not null,
  period text not null,
  done_at timestamptz not null,
  primary key (job, period)
);
create index job_periods_done on job_periods using brin (done_at);

-- The last due time of each job that a server process has claimed: one process runs a job.
create table job_runs (
  job text primary key,
  due_at timestamptz not null
);

-- The timetable of former versions had a schema of its own.
drop schema if exists pgboss cascade;

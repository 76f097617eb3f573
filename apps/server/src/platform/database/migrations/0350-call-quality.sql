-- One side of a call as its page reports it. The counts decide about the question after the call, without reading the events.
create table quality_sessions (
  session_id bigint not null,
  user_id bigint not null,
  began_at timestamptz not null,
  -- The page said that it sends no more.
  closed_at timestamptz,
  app_version text not null,
  meta jsonb not null,
  device jsonb not null,
  -- A listed user: reports come more often, and are kept as they came.
  is_watched boolean not null,
  bytes bigint not null default 0,
  reports integer not null default 0,
  poor_reports integer not null default 0,
  -- The sums of the call, computed once after its end.
  summary jsonb,
  -- Ids of connections that the page reports about now.
  connections text[] not null default '{}',
  opinion smallint check (opinion between 1 and 5),
  primary key (session_id, user_id)
) with (fillfactor = 70);
create index quality_sessions_open on quality_sessions (session_id) where summary is null;
create index quality_sessions_of_user on quality_sessions (user_id);
create index quality_sessions_began on quality_sessions (began_at);

-- The one question that a user is asked on a day.
create table quality_questions (
  user_id bigint not null,
  asked_on date not null,
  session_id bigint not null,
  primary key (user_id, asked_on)
);

-- Everything that a page reports, in a short form. There are no foreign keys: their indexes would cost more than the rows.
create sequence quality_event_ids;
create table quality_events (
  event_id bigint not null default nextval('quality_event_ids'),
  session_id bigint not null,
  user_id bigint not null,
  at timestamptz not null,
  kind text not null,
  name text not null,
  details jsonb not null,
  primary key (event_id, at)
) partition by range (at);
create index quality_events_of_user on quality_events (user_id, session_id);
create table quality_events_default partition of quality_events default;

-- The reports of listed users as they came, without addresses.
create sequence quality_report_ids;
create table quality_reports (
  report_id bigint not null default nextval('quality_report_ids'),
  session_id bigint not null,
  user_id bigint not null,
  at timestamptz not null,
  report jsonb not null,
  primary key (report_id, at)
) partition by range (at);
create index quality_reports_of_user on quality_reports (user_id, session_id);
create table quality_reports_default partition of quality_reports default;

-- Why a camera or microphone could not be opened. A guest without a row is a user too, so there is no foreign key.
create table camera_failures (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  at timestamptz not null,
  labels text[] not null,
  kinds text[] not null,
  error text not null
);
create index camera_failures_of_user on camera_failures (user_id, at);
create index camera_failures_at on camera_failures (at);

-- Also the months of call quality are dropped.
create or replace function drop_month_partitions(parent text, before timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old_month regclass;
  dropped integer := 0;
begin
  if parent not in ('changes', 'quality_events', 'quality_reports') then
    raise exception 'the months of % are kept', parent using errcode = 'insufficient_privilege';
  end if;
  -- The lock of create_month_partitions.
  perform pg_advisory_xact_lock(4205003);
  for old_month in
    select pg_class.oid::regclass from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = parent::regclass
      and substring(pg_get_expr(relpartbound, pg_class.oid) from 'TO \(''(.*?)''\)')::timestamptz <= before
    order by 1
  loop
    execute format('drop table %s', old_month);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

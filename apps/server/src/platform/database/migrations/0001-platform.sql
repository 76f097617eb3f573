create table schema_migrations (
  number int4 primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);

-- Amounts in an asset's smallest unit. Ids are int8 too; the domain separates them: ids become numbers, units bigints.
create domain units as int8;
-- The number of a ledger account, see 0002: it exceeds 2^53.
create domain account_number as int8;

-- Tables that only grow are partitioned by month. A row whose month has no partition lands in the default partition, and
-- moves out of it when the month's partition is created.
create function create_month_partition(parent text, month date) returns boolean language plpgsql as $$
declare
  partition_name text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  default_name text := format('%s_default', parent);
  starts_at timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  ends_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  time_column text := (select p.time_column from partitioned_tables p where p.name = parent);
  is_strayed boolean;
begin
  if to_regclass(partition_name) is not null then return false; end if;
  -- Attaching an existing table does not block the readers and writers of the other months.
  execute format('create table %I (like %I including defaults including constraints including storage)', partition_name, parent);
  execute format('select exists (select from %I where %I >= $1 and %I < $2)', default_name, time_column, time_column)
    into is_strayed using starts_at, ends_at;
  if is_strayed then
    execute format('alter table %I disable trigger user', default_name);
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning *) insert into %I select * from moved',
      default_name, time_column, time_column, partition_name) using starts_at, ends_at;
    execute format('alter table %I enable trigger user', default_name);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition_name, starts_at, ends_at);
  -- Statement triggers are not inherited.
  if exists (select from pg_trigger where tgrelid = parent::regclass and tgname = parent || '_append_only') then
    execute format('select guard_append_only(%L)', partition_name);
  end if;
  return true;
end $$;

-- Refuses every change of existing rows, so that a table is append-only for every program that connects.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;

create function guard_append_only(table_name text) returns void language plpgsql as $$
begin
  execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
    table_name || '_append_only', table_name);
end $$;

create view partitioned_tables as
  select relname::text as name, attname::text as time_column
  from pg_partitioned_table join pg_class on pg_class.oid = partrelid join pg_attribute on attrelid = partrelid and attnum = partattrs[0]
  where relnamespace = 'public'::regnamespace;

-- The partitions of a table for this month, the next one, and every month that has rows in the default partition; returns
-- the months that were created. Call it for one table in each transaction. It waits only briefly for locks, so it never
-- blocks readers for long; until the next attempt the rows are in the default partition.
create function create_month_partitions(parent text, at timestamptz) returns date[] language plpgsql set lock_timeout = '5s' as $$
declare
  this_month timestamp := date_trunc('month', at at time zone 'UTC');
  months date[] := array[this_month, this_month + interval '1 month'];
  strayed date[];
  created date[] := '{}';
  month date;
begin
  -- Before any lock on the table: two processes that start together must not wait for each other.
  perform pg_advisory_xact_lock(4205003);
  execute format('select array(select distinct date_trunc(''month'', %I at time zone ''UTC'')::date from %I limit 100)',
    (select time_column from partitioned_tables where name = parent), parent || '_default') into strayed;
  foreach month in array array(select unnest(months || strayed) order by 1) loop
    if create_month_partition(parent, month) then created := created || month; end if;
  end loop;
  return created;
end $$;

-- Work that must happen after a commit, even if the process dies first. Each row is delivered at least once.
create table outbox (
  outbox_id int8 generated always as identity primary key,
  kind text not null,
  key text,
  payload jsonb not null,
  attempts int4 not null default 0,
  created_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  done_at timestamptz,
  -- Set when the last attempt failed: the row waits for the operator.
  dead_at timestamptz,
  last_error text,
  check (done_at is null or dead_at is null)
);

create unique index outbox_key on outbox (kind, key);
create index outbox_due on outbox (due_at) where done_at is null and dead_at is null;
create index outbox_done on outbox (done_at) where done_at is not null;
create index outbox_dead on outbox (dead_at) where dead_at is not null;

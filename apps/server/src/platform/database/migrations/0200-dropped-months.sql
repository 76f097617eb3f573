-- Drops the months of a table that ended before a moment; returns how many. Only the named tables lose rows this way. Rows in
-- the default partition stay until the job of the months moves them to their month. The function waits only briefly for its
-- lock, because all readers and writers of the table wait behind it; the next run tries again.
create function drop_month_partitions(parent text, before timestamptz) returns integer
  language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '1s' as $$
declare
  old_month regclass;
  dropped integer := 0;
begin
  if parent not in ('changes') then
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

comment on function drop_month_partitions(text, timestamptz) is
  'Drops the partitions of the table whose month ended before the moment; returns how many. Error insufficient_privilege: the rows of the table are kept; lock_not_available: another transaction used the table for too long.';

-- Whole months are dropped, so nothing searches changes by their time.
drop index changes_at;

-- Each change of a user updates the row of the user's head, so a page keeps room for the next version of its rows.
alter table change_heads set (fillfactor = 50);

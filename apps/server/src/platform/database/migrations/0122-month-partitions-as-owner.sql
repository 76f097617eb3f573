-- The user of the server's queries owns no table, but the job that creates the partitions of the next month runs as that user.
alter function create_month_partitions(text, timestamptz) security definer;
alter function create_month_partitions(text, timestamptz) set search_path = public, pg_temp;

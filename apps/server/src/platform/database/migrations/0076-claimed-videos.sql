-- The server process that converts a video holds it until then; another one takes it over afterwards.
alter table media add column claimed_until timestamptz;
-- Their owners take turns.
drop index media_processing;
create index media_processing on media (owner_id, created_at) where status = 'processing';

-- The videos that wait for their conversion: the rows are the queue.
create index media_processing on media (created_at) where status = 'processing';

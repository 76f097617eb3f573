create index statements_of_call on statements (session_id) where session_id is not null;

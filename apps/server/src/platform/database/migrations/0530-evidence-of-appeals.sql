-- The statement by which a complaint was decided. Its evidence stays while the user may appeal.
alter table complaints add column statement_id bigint references statements (statement_id);
create index complaints_of_statement on complaints (statement_id) where statement_id is not null;

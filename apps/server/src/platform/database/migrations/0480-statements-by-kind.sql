-- Staff list the newest statements of a kind.
create index statements_of_kind on statements (kind, statement_id);

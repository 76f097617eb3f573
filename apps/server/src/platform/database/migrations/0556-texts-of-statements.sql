-- The own texts of a user that a decision is about, as they were written. Their originals may disappear.
create table statement_texts (
  statement_id bigint not null references statements (statement_id),
  number smallint not null,
  user_id bigint not null references users (id),
  place text not null,
  text text not null,
  at timestamptz not null,
  primary key (statement_id, number)
);
create index statement_texts_of on statement_texts (user_id);

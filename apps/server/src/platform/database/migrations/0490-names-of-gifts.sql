-- Names that the operator gives a gift, by language. A language without one has the name of the locale files.
alter table gifts add column names jsonb not null default '{}';

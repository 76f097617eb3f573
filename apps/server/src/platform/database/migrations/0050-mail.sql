-- How many mails of one purpose were written to an address in an hour; the address is a keyed hash.
create table mail_budgets (
  hour timestamptz not null,
  address bytea not null,
  purpose text not null,
  used integer not null check (used > 0),
  primary key (hour, address, purpose)
);

-- Confirmed addresses that a user gave up: until then a recovery by one of them takes the account back.
create table former_emails (
  user_id bigint not null references users (id),
  email text not null check (char_length(email) <= 320),
  until timestamptz not null,
  primary key (user_id, email)
);
create index former_emails_email on former_emails (lower(email));
create index former_emails_until on former_emails (until);

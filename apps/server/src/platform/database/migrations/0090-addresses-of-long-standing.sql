-- From when on an address that took the place of another can take the account back; null: since it is confirmed.
alter table users add column email_trusted_from timestamptz;

-- Only the address that was given up first was the one of before the changes.
delete from former_emails former using former_emails earlier
  where earlier.user_id = former.user_id and (earlier.until, earlier.email) < (former.until, former.email);
update users set email_trusted_from = former.until from former_emails former where former.user_id = users.id;

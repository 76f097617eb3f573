-- The end of Premium that was announced to its user; an end that is past and another one is still to be announced, also after
-- the server was down or while the user was away.
alter table users add column premium_end_announced timestamptz;
update users set premium_end_announced = premium_until where premium_until <= now();
create index users_premium_ends on users (premium_until)
  where premium_until is not null and erased_at is null and premium_end_announced is distinct from premium_until;

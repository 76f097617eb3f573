-- An erasure finds the confirmed notices of a user too.
create index balance_notices_of on balance_notices (user_id);

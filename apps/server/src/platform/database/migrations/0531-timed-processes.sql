-- Only rows with a time at which they change are claimed and scanned. A permanent ban and a verification without an end wait
-- for an event alone.
drop index sanctions_owned;
create index sanctions_owned on sanctions (owner_id) where ended_at is null and wake_at is not null;
drop index identity_checks_owned;
create index identity_checks_owned on identity_checks (owner_id)
  where state in ('checking', 'verified') and wake_at is not null;

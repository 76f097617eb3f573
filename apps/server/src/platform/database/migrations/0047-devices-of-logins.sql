-- The name of the device, for the own list of its user, and the country of the last visit.
alter table logins add column device text not null default '' check (char_length(device) <= 60);
alter table logins add column country text;

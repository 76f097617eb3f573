-- A message that was read with Premium stays, also a picture that is shown only later, when staff have approved it.
alter table messages add column read_premium boolean not null default false;

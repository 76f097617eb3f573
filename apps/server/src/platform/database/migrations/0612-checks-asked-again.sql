-- Staff ask for better documents: the check ends, and the user reads what to send again.
alter table identity_checks add column asked_again boolean not null default false,
  add column comment text check (char_length(comment) between 1 and 2000),
  add check (not asked_again or state = 'declined');

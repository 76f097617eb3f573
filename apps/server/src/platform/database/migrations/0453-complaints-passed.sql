-- A moderator passed the case to a manager, with a note for the one who decides.
alter table complaints
  add column passed_note text check (char_length(passed_note) <= 2000),
  add column passed_by text,
  add column passed_at timestamptz,
  add check ((passed_at is null) = (passed_by is null) and (passed_at is null) = (passed_note is null));

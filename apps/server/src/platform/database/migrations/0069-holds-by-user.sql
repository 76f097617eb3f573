-- The deletion of a user's row finds the holds of that user, lifted ones too.
create index evidence_holds_user on evidence_holds (user_id);

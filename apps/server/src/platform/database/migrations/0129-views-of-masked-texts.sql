-- A look shows a part of the texts: `done` covers those up to here. Null: the look was at the newest texts, of which some may be
-- unseen, or it is not over.
alter table masked_text_views add column until timestamptz;
update masked_text_views set until = at;

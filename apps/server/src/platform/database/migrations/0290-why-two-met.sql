-- Why the queue matched the two of an offer: the facts with which the rules can decide again. Null for an invitation and
-- for older offers. It lives as long as its offer (`pair_days`).
alter table pairs add column match_record jsonb;

-- The answers are deleted by their day, and a row that others refer to is deleted without reading all of theirs.
create index quality_questions_asked_on on quality_questions (asked_on);
create index frame_findings_statement on frame_findings (statement_id);
create index frame_views_session on frame_views (session_id);
create index given_gifts_gift on given_gifts (gift_id);

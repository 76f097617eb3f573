-- The export of a user's own messages reads them page by page.
create index messages_of_sender on messages (sender_id, id);

-- Only the tombstones that a rule of the retention deletes: the tombstones of guests with a row stay for good.
drop index users_tombstones;
create index users_empty_tombstones on users (erased_at) where role is null and created_at = erased_at;

-- The bell counts and marks the unread notices of a user.
create index notices_unread on notices (user_id) where read_at is null;

-- Vacuum gives the pages of deleted rows to new rows. After that, a block range of a brin index covers rows of all ages, and a
-- search for old rows reads the whole table. So a table whose old rows are deleted has a btree index.
drop index absences_at;
create index absences_at on absences (at);
drop index balance_notices_told;
create index balance_notices_told on balance_notices (told_at);
drop index call_flags_at;
create index call_flags_at on call_flags (at);
drop index free_messages_day;
create index free_messages_day on free_messages (day);
drop index free_starts_day;
create index free_starts_day on free_starts (day);
drop index given_likes_day;
create index given_likes_day on given_likes (day);
drop index idempotent_answers_created;
create index idempotent_answers_created on idempotent_answers (created_at);
drop index job_periods_done;
create index job_periods_done on job_periods (done_at);
drop index masked_text_views_at;
create index masked_text_views_at on masked_text_views (at);
drop index message_originals_at;
create index message_originals_at on message_originals (at);
-- No query searches pairs by this column.
drop index pairs_opened;
drop index profile_views_day;
create index profile_views_day on profile_views (day);
drop index session_logs_at;
create index session_logs_at on session_logs (at);
drop index translation_uses_day;
create index translation_uses_day on translation_uses (day);
drop index translations_at;
create index translations_at on translations (at);

-- The functions and row types that the server calls, as docs/database-functions.md explains them.
comment on function messenger_facts(bigint[], bigint[], text[], timestamptz, timestamptz) is
  'The messages that are to be sent, as three lists of one length: dialog, sender, random_id. Texts since recent_since are neighbours, paid messages since paid_since can be answered. One row a message, numbered by n from 1 in the order of the lists; none for a dialog that is not the sender''s. Locks the dialogs until the transaction ends. reward is in units of the coin. No errors of its own.';
comment on function messenger_count(bigint[], bigint[], bigint[]) is
  'Three lists of one length: message, dialog, reader (null: counts for no user); each dialog at most once. The dialogs are locked.';
comment on function messenger_store(jsonb, integer, timestamptz) is
  'messages_sent: an array of objects with the keys of sent_message, at most one of a dialog. digests_max: as many digests of a girl are kept. The dialogs are locked by messenger_facts. Error unique_violation: the sender used the random_id before.';
comment on type sent_message is
  'One message that is to be stored. price in credits, reward in units of the coin as text; original is null where nothing was masked, answers is the id of the paid message that it answers or null, digest is empty of a guy.';
comment on function ledger_apply(jsonb, timestamptz) is
  'asked: an array of objects with the keys of ledger_step; the steps of one g happen together or not at all. Returns an array of { g, outcome, ... } for the groups that were not simply applied. Refusals are outcomes; an error is a fault of the caller.';
comment on type ledger_step is
  'One step: op is move, open or post; amount, unit and keep in the smallest unit of the asset; debit and credit are account numbers, negative for house accounts; key makes a repeat harmless.';

-- Digests of texts have a key now, and go with the text. A message that may be repeated keeps its digest.
update messages set asked = '' where removed_at is not null and asked <> '';
update dialogs set girl_digests = '{}' where girl_digests <> '{}';

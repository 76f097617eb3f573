-- Texts of decisions are deleted when they are old; the retention reads the aged rows alone.
create index statement_texts_aged on statement_texts (at);

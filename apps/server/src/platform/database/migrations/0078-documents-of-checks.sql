-- Documents are deleted before the checks that they were sent for.
create index identity_documents_check on identity_documents (check_id);

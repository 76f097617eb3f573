-- The bytes of sealed evidence may only leave the row for the storage, and its user stays too.
create or replace function sealed_evidence_stays() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'TRUNCATE' then raise exception 'evidence is not truncated'; end if;
  if not old.is_sealed then return case when tg_op = 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' or not new.is_sealed
    or (new.content is not null and new.content is distinct from old.content)
    or (new.file_id, new.complaint_id, new.kind, new.source, new.user_id, new.sha256, new.bytes, new.at)
      is distinct from (old.file_id, old.complaint_id, old.kind, old.source, old.user_id, old.sha256, old.bytes, old.at)
  then raise exception 'sealed evidence stays as it is'; end if;
  return new;
end $$;

-- Evidence is written with its row, encrypted, and moves from there into the storage: a storage that is down loses none.
alter table evidence_files add column content bytea;
-- The frame or the upload that the file is a copy of.
alter table evidence_files add column source text not null default '';
alter table evidence_files drop constraint evidence_files_kind_check;
alter table evidence_files add constraint evidence_files_kind_check
  check (kind in ('complainer', 'accused', 'seen', 'record', 'frame', 'picture'));
drop index evidence_files_once;
create unique index evidence_files_once on evidence_files (complaint_id, kind, source);
create index evidence_files_unmoved on evidence_files (at) where content is not null;
drop table evidence_drafts;

create function sealed_evidence_stays() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'TRUNCATE' then raise exception 'evidence is not truncated'; end if;
  if not old.is_sealed then return case when tg_op = 'DELETE' then old else new end; end if;
  if tg_op = 'DELETE' or not new.is_sealed
    or (new.file_id, new.complaint_id, new.kind, new.source, new.sha256, new.bytes, new.at)
      is distinct from (old.file_id, old.complaint_id, old.kind, old.source, old.sha256, old.bytes, old.at)
  then raise exception 'sealed evidence stays as it is'; end if;
  return new;
end $$;
create trigger evidence_files_stay before update or delete on evidence_files
  for each row execute function sealed_evidence_stays();
create trigger evidence_files_stay_all before truncate on evidence_files
  for each statement execute function sealed_evidence_stays();

-- The last alarm about a serious complaint that waits.
alter table complaints add column alarmed_at timestamptz;

-- Exports of sealed evidence: one person asks, another approves, and only then the files leave.
create table evidence_exports (
  export_id bigint generated always as identity primary key,
  complaint_id bigint not null references complaints (complaint_id),
  reason text not null check (char_length(reason) between 1 and 500),
  -- The mail of a member of staff, or the name of an operator.
  requested_by text not null,
  requested_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  exported_by text,
  exported_at timestamptz,
  check ((approved_by is null) = (approved_at is null)),
  check ((exported_by is null) = (exported_at is null)),
  check (lower(approved_by) <> lower(requested_by)),
  check (exported_at is null or approved_at is not null)
);
create index evidence_exports_of on evidence_exports (complaint_id);

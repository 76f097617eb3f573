-- Files of evidence that are about to be stored: until their row is written, or until a job deletes the file.
create table evidence_drafts (
  file_id uuid primary key,
  created_at timestamptz not null
);
create index evidence_drafts_created on evidence_drafts (created_at);

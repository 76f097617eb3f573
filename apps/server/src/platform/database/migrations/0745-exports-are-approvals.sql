-- An export of sealed evidence is an act that a second person allows, like the acts of the shell.
alter table approvals drop constraint approvals_act_check;
alter table approvals add constraint approvals_act_check
  check (act in ('grant', 'gift_cards', 'documents', 'sealed_export'));
-- The other user of the case, who may not allow the act either.
alter table approvals add column other_user_id bigint;
create index approvals_about on approvals (act, facts);

insert into approvals (act, user_id, other_user_id, facts, reason, asked_by, asked_at, allowed_by, allowed_at, used_at)
  select 'sealed_export', accused_id, complainer_id, jsonb_build_object('complaint_id', complaint_id),
    evidence_exports.reason, requested_by, requested_at, approved_by, approved_at, exported_at
  from evidence_exports join complaints using (complaint_id) order by export_id;
drop table evidence_exports;

-- Earlier acts of the shell may have the name of the person who allowed them.
alter table approvals add constraint approvals_two_people check (
  regexp_replace(lower(allowed_by), '\+[^@]*@', '@') <> regexp_replace(lower(asked_by), '\+[^@]*@', '@')) not valid;

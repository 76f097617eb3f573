import { auditActs, type AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import { msg, t, type OfficeText } from '../../shared/texts.ts'

const ACTS: Readonly<Record<AuditAct, OfficeText>> = {
  statement_undo: msg('office.act.statement_undo'),
  text_remove: msg('office.act.text_remove'),
  warning_impose: msg('office.act.warning_impose'),
  appeal_decide: msg('office.act.appeal_decide'),
  appeal_view: msg('office.act.appeal_view'),
  penalty_impose: msg('office.act.penalty_impose'),
  audit_export: msg('office.act.audit_export'),
  ban_impose: msg('office.act.ban_impose'),
  ban_lift: msg('office.act.ban_lift'),
  bulk_allow: msg('office.act.bulk_allow'),
  bulk_stop: msg('office.act.bulk_stop'),
  call_end: msg('office.act.call_end'),
  call_view: msg('office.act.call_view'),
  call_warn: msg('office.act.call_warn'),
  claim_take: msg('office.act.claim_take'),
  complaint_decide: msg('office.act.complaint_decide'),
  complaint_pass: msg('office.act.complaint_pass'),
  complaint_raise: msg('office.act.complaint_raise'),
  complaint_view: msg('office.act.complaint_view'),
  dialog_view: msg('office.act.dialog_view'),
  document_keys_rotate: msg('office.act.document_keys_rotate'),
  documents_view: msg('office.act.documents_view'),
  factors_remove: msg('office.act.factors_remove'),
  findings_decide: msg('office.act.findings_decide'),
  findings_view: msg('office.act.findings_view'),
  frames_view: msg('office.act.frames_view'),
  gift_cards_create: msg('office.act.gift_cards_create'),
  gift_set: msg('office.act.gift_set'),
  gifts_forbid: msg('office.act.gifts_forbid'),
  gifts_permit: msg('office.act.gifts_permit'),
  grant: msg('office.act.grant'),
  hold_add: msg('office.act.hold_add'),
  hold_remove: msg('office.act.hold_remove'),
  identity_approve: msg('office.act.identity_approve'),
  identity_decline: msg('office.act.identity_decline'),
  ledger_rebuild: msg('office.act.ledger_rebuild'),
  mail_view: msg('office.act.mail_view'),
  masked_texts_decide: msg('office.act.masked_texts_decide'),
  masked_texts_done: msg('office.act.masked_texts_done'),
  masked_texts_view: msg('office.act.masked_texts_view'),
  note_add: msg('office.act.note_add'),
  media_approve: msg('office.act.media_approve'),
  media_remove: msg('office.act.media_remove'),
  media_view: msg('office.act.media_view'),
  message_remove: msg('office.act.message_remove'),
  order_credit: msg('office.act.order_credit'),
  order_evidence: msg('office.act.order_evidence'),
  order_refund: msg('office.act.order_refund'),
  order_view: msg('office.act.order_view'),
  package_set: msg('office.act.package_set'),
  password_set: msg('office.act.password_set'),
  picture_ban: msg('office.act.picture_ban'),
  pictures_import: msg('office.act.pictures_import'),
  premium_give: msg('office.act.premium_give'),
  referral_release: msg('office.act.referral_release'),
  report_decide: msg('office.act.report_decide'),
  report_view: msg('office.act.report_view'),
  seal_export: msg('office.act.seal_export'),
  seal_export_approve: msg('office.act.seal_export_approve'),
  seal_export_request: msg('office.act.seal_export_request'),
  seal_hold: msg('office.act.seal_hold'),
  seal_release: msg('office.act.seal_release'),
  seal_view: msg('office.act.seal_view'),
  setting_change: msg('office.act.setting_change'),
  shared_device: msg('office.act.shared_device'),
  staff_change: msg('office.act.staff_change'),
  staff_end: msg('office.act.staff_end'),
  staff_link: msg('office.act.staff_link'),
  staff_sign_in: msg('office.act.staff_sign_in'),
  user_add: msg('office.act.user_add'),
  user_view: msg('office.act.user_view'),
  wall_view: msg('office.act.wall_view'),
}

/** The act in words; an act of an older version keeps its own name. */
export function actName(act: string): string {
  return Object.hasOwn(ACTS, act) ? t(ACTS[act as AuditAct]) : act
}

/** Every act in the order of its words, for a choice. */
export function actOptions(): { value: AuditAct; label: string }[] {
  return auditActs
    .map((value) => ({ value, label: actName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

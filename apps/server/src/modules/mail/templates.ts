/**
 * A mail is requested by its owner, or is needed to use the account. It may also report a decision or
 * money, or answer a public form, or be news, which the user may switch off. Each purpose has its own budget.
 */
export type MailPurpose =
  | 'report'
  | 'report_decision'
  | 'confirmation'
  | 'account'
  | 'security'
  | 'record'
  | 'notice'

/** A path of the product: mails only link to the configured origin, never to where a request seemed to come from. */
type Path = `/${string}`

/**
 * The values of each template. Its texts are `mail.<template>.subject` and `.text`, in which a blank line
 * separates paragraphs. A template with a `link` has `.button`. `.note` is an optional text below the
 * button.
 */
export interface MailValues {
  confirm_email: { nick: string; link: Path }
  recovery: { nick: string; link: Path; minutes: number }
  /** One notice of the bell; `sentence` is in the user's language. */
  notice: { nick: string; sentence: string; link: Path }
  /** Unread notices; `lines` are sentences in the user's language. */
  digest: { nick: string; count: number; lines: readonly string[]; link: Path }
  /** A change that the owner of the account must learn of. */
  security: { nick: string; sentence: string; link: Path }
  /** A decision of staff about the user, or that one is near. */
  warning: { nick: string; sentence: string; link: Path }
  /** An addition to a balance, and its day: `2026-12-06`. */
  receipt: { nick: string; sentence: string; link: Path; day: string }
  /** A report of a public form came in; `day`: until when it is answered. */
  report_receipt: { receipt: string; day: string; link: Path }
  /** Staff decided about the report. Its page has a link in the receipt only. */
  report_decided: { receipt: string }
  /** To staff: as many serious complaints wait for too long. */
  staff_alarm: { count: number; link: Path }
  staff_count: { count: number; link: Path }
  staff_child_reports: { count: number; link: Path }
  staff_picture_reports: { count: number; link: Path }
  /** To owners: looks of a member of staff that no case explains. */
  staff_looks_without_case: { person: string; count: number; link: Path }
  staff_linked_accounts: { person: string; count: number; link: Path }
  /** To a member of staff: the right password came with wrong codes. */
  staff_guesses: { link: Path }
  /** To a member of staff: the one-time link itself. `by` is the maker's address, or `shell`. */
  staff_link: { by: string; link: Path }
  /** To owners: a link was made, or used. */
  staff_link_made: { email: string; by: string; link: Path }
  staff_set_up: { email: string; by: string; link: Path }
  /** `days`: the former address may take the account back as long. */
  email_changed: { nick: string; days: number }
  /** `day`: the day of the erasure, `2026-12-06`. */
  account_deletion: { nick: string; link: Path; day: string }
}
export type MailTemplate = keyof MailValues

export const PURPOSES: Readonly<Record<MailTemplate, MailPurpose>> = {
  confirm_email: 'confirmation',
  recovery: 'account',
  notice: 'notice',
  digest: 'notice',
  security: 'security',
  warning: 'record',
  staff_alarm: 'security',
  staff_count: 'security',
  staff_child_reports: 'security',
  staff_picture_reports: 'security',
  staff_looks_without_case: 'security',
  staff_linked_accounts: 'security',
  staff_guesses: 'security',
  staff_link: 'security',
  staff_link_made: 'security',
  staff_set_up: 'security',
  receipt: 'record',
  report_receipt: 'report',
  report_decided: 'report_decision',
  email_changed: 'security',
  account_deletion: 'account',
}

/** Mails to one address within an hour, beyond which they are dropped: no user floods the mailbox of another person. */
export const MAILS_AN_HOUR: Readonly<Record<MailPurpose, number>> = {
  // Any member can have them sent to the address of a stranger.
  confirmation: 4,
  // So can everybody who fills in a public form.
  report: 4,
  // Staff cause them: forms of a stranger with the address must not suppress them.
  report_decision: 20,
  account: 8,
  security: 20,
  record: 20,
  notice: 4,
}

import type { UserId } from '../../core/ids.ts'
import type { MailTemplate, MailValues } from './templates.ts'

/** A mail as it waits in the outbox. It holds an address and perhaps the key of a recovery: the outbox stores it encrypted. */
export interface MailOrder {
  readonly to: string
  readonly locale: string
  readonly template: MailTemplate
  readonly values: MailValues[MailTemplate]
  readonly key: string
  readonly unsubscribe: UserId | undefined
  readonly valid_until: string
}

/** The kind of mails that the user does not wait for: a burst of them does not delay a recovery. */
export const NOTICE_MAIL = 'notice_mail'

/** The purpose of the key with which orders are encrypted. */
export const SEALED_FOR = 'mails in the outbox'
export const ORDER_BYTES_MAX = 64 * 1024

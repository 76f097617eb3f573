import { createHmac } from 'node:crypto'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { seal } from '../../lib/cipher.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { type MailOrder, NOTICE_MAIL, SEALED_FOR } from './mail-order.ts'
import { usedBudget } from './queries.ts'
import * as store from './store.ts'
import { MAILS_AN_HOUR, type MailTemplate, type MailValues, PURPOSES } from './templates.ts'

const VALID_HOURS = 48

export interface NewMail<T extends MailTemplate = MailTemplate> {
  readonly to: string
  readonly locale: string
  readonly template: T
  readonly values: MailValues[T]
  /** One mail is sent for a key, however often it is enqueued within a week: `recovery:17`. */
  readonly key: string
  /** The mail offers to end mails about notices of this user. Mails about security never do. */
  readonly unsubscribe?: UserId
  /** After this time the mail is not sent any more: its link would be useless. */
  readonly valid_until?: Temporal.Instant
}

/**
 * Writes a mail into the outbox of this transaction. The mail is rendered and sent after the commit, and
 * repeated until a server takes it. If the budget of its address is spent, the mail is dropped silently, so
 * that its sender learns nothing about the address.
 */
export async function enqueueMail<T extends MailTemplate>(tx: Tx, mail: NewMail<T>): Promise<void> {
  if (tx.app.mail.is_off) return
  const { to, locale, template, values, key, unsubscribe } = mail
  const purpose = PURPOSES[template]
  const used = await store.countMail(tx, addressHash(tx, to), purpose)
  if (used > MAILS_AN_HOUR[purpose]) {
    tx.app.log.warn({ template }, 'a mail was dropped: its address has had too many this hour')
    return
  }
  const validUntil = mail.valid_until ?? tx.now.add({ hours: VALID_HOURS })
  const order: MailOrder = {
    to,
    locale,
    template,
    values,
    key,
    unsubscribe,
    valid_until: validUntil.toString(),
  }
  const kind = purpose === 'notice' || purpose === 'record' ? NOTICE_MAIL : 'mail'
  await tx.enqueue(kind, { sealed: seal(keyFor(tx.app.config, SEALED_FOR), order) }, key)
}

/** Whether one more mail of this template may be written to the address now. */
export async function isMailPermitted(
  tx: Tx,
  to: string,
  template: MailTemplate,
): Promise<boolean> {
  const purpose = PURPOSES[template]
  const used = await usedBudget(tx, addressHash(tx, to), purpose)
  return !tx.app.mail.is_off && used < MAILS_AN_HOUR[purpose]
}

function addressHash(tx: Tx, to: string): Buffer {
  const key = keyFor(tx.app.config, 'mail addresses')
  return createHmac('sha256', key).update(to.toLowerCase()).digest()
}

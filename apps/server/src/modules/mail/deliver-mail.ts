import { createHmac } from 'node:crypto'
import type { App } from '../../core/app.ts'
import { open } from '../../lib/cipher.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { officeOrigins } from '../../platform/http/office-origin.ts'
import { type MailOrder, ORDER_BYTES_MAX, SEALED_FOR } from './mail-order.ts'
import { renderMail } from './render-mail.ts'
import { unsubscribePath } from './unsubscribe.ts'

/** Renders and sends a mail of the outbox. An error lets the outbox try again later. */
export async function deliverMail(app: App, { sealed }: { sealed: string }): Promise<void> {
  const order = open(keyFor(app.config, SEALED_FOR), sealed, ORDER_BYTES_MAX) as
    | MailOrder
    | undefined
  // Written under another SECRET_KEY.
  if (!order) return app.log.error('a mail cannot be decrypted, it is dropped')
  const { template, key, to, unsubscribe } = order
  const now = app.clock.now()
  if (Temporal.Instant.compare(now, Temporal.Instant.from(order.valid_until)) > 0)
    return app.log.warn({ template }, 'a mail is too old to be sent, it is dropped')
  const { config } = app
  const [origin = ''] = template.startsWith('staff_') ? officeOrigins(config) : config.origins
  const unsubscribeUrl =
    unsubscribe === undefined ? undefined : origin + unsubscribePath(app, unsubscribe)
  // The key names its cause, such as the id of a user: the receiver does not need to know it.
  const id = createHmac('sha256', keyFor(app.config, 'mail ids')).update(key).digest('base64url')
  const rendered = renderMail(order, origin, unsubscribeUrl)
  const outcome = await app.mail.send({ id, to, unsubscribe_url: unsubscribeUrl, ...rendered }, now)
  if (outcome === 'refused')
    app.log.warn({ template }, 'a mail was refused by its receiver, it is dropped')
}

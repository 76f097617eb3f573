/**
 * Mail: messages to e-mail addresses, from a template to the server that takes them.
 *
 * Tables         mail_budgets (mails to an address within an hour); rows of the outbox of kinds `mail` and `notice_mail`
 * Does not know  users and why something is sent: callers name an address, a language, a template and its values
 * Invariants     a mail is written in the transaction of its cause and sent once for its key (ML1) · values of users change
 *                neither headers nor markup nor links of a mail (ML2) · an address gets a bounded number of mails an hour (ML3) ·
 *                the database holds no address and no link of a waiting mail in the clear (ML4)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { impersonalTable } from '../../platform/personal-data/personal-data.ts'
import { deadLetterRetention } from '../../platform/database/outbox.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { commands } from './commands.ts'
import { deliverMail } from './deliver-mail.ts'
import { NOTICE_MAIL } from './mail-order.ts'
import { unsubscribe } from './unsubscribe.ts'

export const mail = module('mail', {
  endpoints: {
    'POST /unsubscribe/{token}': unsubscribe,
  } satisfies EndpointsOf<'mail'>,
  commands,
  start: async (app) => () => app.mail.close(),
  systemFields: async ({ config }) => ({ features: { mail: { on: config.mail.kind !== 'off' } } }),
  // Together as many at once as there are connections to the mail server.
  outboxHandlers: {
    mail: { deliver: deliverMail, at_once: 3 },
    [NOTICE_MAIL]: { deliver: deliverMail, at_once: 2 },
  },
  personalData: {
    tables: [impersonalTable('mail_budgets', 'counts of an hour by keyed hash, without a user')],
  },
  // Only the present hour is read.
  retention: [
    deleteRows('mail_budgets', 'hour', () => 1),
    deadLetterRetention('mail'),
    deadLetterRetention(NOTICE_MAIL),
  ],
})
export { enqueueMail, isMailPermitted } from './enqueue-mail.ts'
export { NOTICE_MAIL } from './mail-order.ts'

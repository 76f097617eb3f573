import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import type { KeptMail } from '../../integrations/mail/mail.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { shellActor, writeAudit } from '../audit/index.ts'

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'mail list': {
    args: '',
    summary: 'Lists the last mails of a server without SMTP_URL, which keeps them in a folder.',
    run: async (app) =>
      (await keptMails(app)).map(({ id, at, to, subject }) => ({ id, at, to, subject })),
  },
  'mail show': {
    args: 'ID [--as NAME]',
    summary: 'Shows one of these mails. The look is recorded.',
    run: showMail,
  },
}

async function showMail(app: App, given: CommandArguments): Promise<KeptMail> {
  const mail = (await keptMails(app)).find((one) => one.id === given.words[0])
  if (!mail) throw new CommandRefused('There is no mail with this id; mail list shows them.')
  const facts = { mail_id: mail.id }
  await app.transact((tx) => writeAudit(tx, { staff: shellActor(given), act: 'mail_view', facts }))
  return mail
}

async function keptMails(app: App): Promise<readonly KeptMail[]> {
  const mails = await app.mail.kept()
  if (!mails) throw new CommandRefused('Mails leave by SMTP_URL and are not kept here.')
  return mails
}

import type { App } from '../../core/app.ts'
import type { OperatorCommand } from '../../core/module.ts'
import type { KeptMail } from '../../integrations/mail/mail.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'mail list': {
    args: '',
    summary: 'Lists the last mails of a server without SMTP_URL, which keeps them in a folder.',
    run: async (app) =>
      (await keptMails(app)).map(({ id, at, to, subject }) => ({ id, at, to, subject })),
  },
  'mail show': {
    args: 'ID',
    summary: 'Shows one of these mails.',
    run: async (app, { words: [id] }) => {
      const mail = (await keptMails(app)).find((one) => one.id === id)
      if (!mail) throw new CommandRefused('There is no mail with this id; mail list shows them.')
      return mail
    },
  },
}

async function keptMails(app: App): Promise<readonly KeptMail[]> {
  const mails = await app.mail.kept()
  if (!mails) throw new CommandRefused('Mails leave by SMTP_URL and are not kept here.')
  return mails
}

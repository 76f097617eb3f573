import { join } from 'node:path'
import type { Config } from './config.ts'
import type { PushSender } from './integrations/push/push.ts'
import type { AppContext } from './core/app.ts'
import { createFolderMail } from './integrations/mail/folder-mail.ts'
import type { MailTransport } from './integrations/mail/mail.ts'
import { createNoMail } from './integrations/mail/no-mail.ts'
import { createSmtpMail } from './integrations/mail/smtp-mail.ts'
import { readOrCreatePushKeys } from './integrations/push/push-keys.ts'
import { createLibreTranslate } from './integrations/translation/libre-translate.ts'
import type { Translator } from './integrations/translation/translation.ts'
import { createWebPush, newPushKeys } from './integrations/push/web-push.ts'

export function createPushSender({ push_keys, data_dir, mail, origins }: Config): PushSender {
  const [origin = ''] = origins
  const keys = push_keys ?? readOrCreatePushKeys(join(data_dir, 'push.key'), newPushKeys)
  const subject = origin.startsWith('https:')
    ? origin
    : `mailto:${mail.kind === 'smtp' ? mail.from.replace(/^.*<|>\s*$/g, '') : 'operator@localhost'}`
  return createWebPush({ keys, subject })
}

export function createMailTransport({ mail, data_dir }: Config): MailTransport {
  if (mail.kind === 'smtp') return createSmtpMail(mail)
  return mail.kind === 'off' ? createNoMail() : createFolderMail(join(data_dir, 'mails'))
}

export function createTranslator({
  config: { translation },
  clock,
  log,
}: Pick<AppContext, 'config' | 'clock' | 'log'>): Translator | undefined {
  return (
    translation &&
    createLibreTranslate({
      ...translation,
      nowMs: () => clock.now().epochMilliseconds,
      onUnavailable: (reason) =>
        log.warn({ reason }, 'the translation service is left alone for half a minute'),
    })
  )
}

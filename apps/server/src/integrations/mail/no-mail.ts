import type { MailTransport } from './mail.ts'

/** The operator has chosen an installation without mail. */
export function createNoMail(): MailTransport {
  return { is_off: true, send: async () => 'sent', kept: async () => [], close() {} }
}

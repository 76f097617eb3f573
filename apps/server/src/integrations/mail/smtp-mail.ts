import { createTransport } from 'nodemailer'
import { isLoopback } from '../../lib/addresses/loopback.ts'
import type { Mail, MailTransport } from './mail.ts'

/** Together below the time that the outbox gives one delivery: a mail that it gives up must not be sent later. */
const CONNECT_TIMEOUT_MS = 3_000
const SOCKET_TIMEOUT_MS = 8_000
const CONNECTIONS_MAX = 5

export interface SmtpAccess {
  readonly url: string
  readonly from: string
}

/** Sends mails to the configured server. Except on this machine the connection uses TLS: mails contain secrets. */
export function createSmtpMail({ url, from }: SmtpAccess): MailTransport {
  const { hostname } = new URL(url)
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    requireTLS: !isLoopback(hostname),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  let sending = 0
  return {
    is_off: false,
    async send(mail, now) {
      // The pool's own queue has no bound: a mail given up and tried again while it waits there would be sent twice.
      if (sending >= CONNECTIONS_MAX) throw new Error('every connection to the mail server is busy')
      sending += 1
      try {
        await transport.sendMail(getMessage(mail, from, now))
        return 'sent'
      } catch (error) {
        if (isLasting(error)) return 'refused'
        throw withoutAddress(error)
      } finally {
        sending -= 1
      }
    },
    kept: async () => undefined,
    close: () => transport.close(),
  }
}

function getMessage(mail: Mail, from: string, now: Temporal.Instant) {
  const { id, to, subject, text, html, unsubscribe_url } = mail
  const domain = from.replace(/^.*@|>\s*$/g, '')
  return {
    from,
    // An object is taken as it is; a string would be parsed, and could name further addresses.
    to: { name: '', address: to },
    subject,
    text,
    html,
    date: new Date(now.epochMilliseconds),
    messageId: `<${id}@${domain}>`,
    headers: {
      // Programs must not answer: no notices of absence, no loops.
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribe_url !== undefined && {
        'List-Unsubscribe': `<${unsubscribe_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  }
}

interface NodemailerError {
  readonly code?: string
  readonly responseCode?: number
  /** The command of the protocol that failed: `RCPT TO`. */
  readonly command?: string
}

/**
 * The answer 5xx to an address or a message. An answer 5xx to a login or a command is the operator's
 * mistake: mails wait until it is mended.
 */
function isLasting(error: unknown): boolean {
  const { code, responseCode = 0 } = error as NodemailerError
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}

/** The answer of a server to a mail may name its receiver, and errors are stored and logged. */
function withoutAddress(error: unknown): unknown {
  const { code, responseCode, command } = error as NodemailerError
  if (responseCode === undefined && code !== 'EENVELOPE' && code !== 'EMESSAGE') return error
  return new Error(`The mail server failed: ${responseCode ?? code} at ${command ?? 'a mail'}`)
}

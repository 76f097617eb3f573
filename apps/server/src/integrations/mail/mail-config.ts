import { z } from 'zod'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  choice,
  type Installation,
  pattern,
  type Values,
} from '../../lib/configuration/variables.ts'

export const MAIL_VARIABLES = {
  SMTP_URL: pattern('an address like smtps://user:password@host:465', /^smtps?:\/\/./).meta({
    secret: true,
    description:
      'Sends mail; the connection uses TLS unless the server is on this machine. Required in production, unless MAIL is off. Absent elsewhere: mails are files in DATA_DIR/mails, for `duet mail list`.',
  }),
  MAIL_FROM: z
    .string()
    .max(200)
    .regex(/^(?:[^<>@",;:\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u)
    .meta({
      must_be: 'an address like Duet <no-reply@duet.example>',
      description: 'The sender of mails. Belongs to SMTP_URL.',
    }),
  MAIL: choice('on', 'off')
    .prefault('on')
    .describe(
      'Off lets production start without SMTP_URL: no mail is written, so no user can confirm an address or recover an account.',
    ),
}

type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
  | { readonly kind: 'folder' | 'off' }

/** Where mails go: to a server, into a folder of DATA_DIR (development), or nowhere, which production must ask for. */
export function readMail(
  { MAIL, SMTP_URL: url, MAIL_FROM: from }: Values<typeof MAIL_VARIABLES>,
  { production }: Installation,
): MailConfig {
  if ((url === undefined) !== (from === undefined))
    throw new StartRefused('SMTP_URL and MAIL_FROM must be set together.')
  if (MAIL === 'off') return { kind: 'off' }
  if (url && from) return { kind: 'smtp', url, from }
  if (production)
    throw new StartRefused(
      'SMTP_URL must be set when NODE_ENV is production, or MAIL=off: without mail no user can confirm an address or recover an account.',
    )
  return { kind: 'folder' }
}

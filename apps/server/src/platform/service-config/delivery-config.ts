import type { Config } from '../../config.ts'
import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'

/** The keys of push messages, where the environment has them. */
export function pushKeysOf({
  VAPID_PUBLIC_KEY: public_key,
  VAPID_PRIVATE_KEY: private_key,
}: Values): Config['push_keys'] {
  if ((public_key === undefined) !== (private_key === undefined))
    throw new StartRefused('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be set together.')
  return public_key && private_key ? { public_key, private_key } : undefined
}

/** Where mails go: without a server, production must say that it wants none. */
export function mailOf(
  { MAIL, SMTP_URL: url, MAIL_FROM: from }: Values,
  production: boolean,
): Config['mail'] {
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

import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { pattern, type Values } from '../../lib/configuration/variables.ts'

export const PUSH_VARIABLES = {
  VAPID_PUBLIC_KEY: pattern(
    'a public key of Web Push: 87 characters',
    /^[A-Za-z0-9_-]{87}$/,
  ).describe(
    'With VAPID_PRIVATE_KEY: the keys of push messages. Absent: created once, in DATA_DIR/push.key.',
  ),
  VAPID_PRIVATE_KEY: pattern(
    'a private key of Web Push: 43 characters',
    /^[A-Za-z0-9_-]{43}$/,
  ).meta({ secret: true, description: 'Belongs to VAPID_PUBLIC_KEY.' }),
}

/** The keys of push messages; undefined: those of a file in DATA_DIR. */
export function readPushKeys({
  VAPID_PUBLIC_KEY: public_key,
  VAPID_PRIVATE_KEY: private_key,
}: Values<typeof PUSH_VARIABLES>) {
  if ((public_key === undefined) !== (private_key === undefined))
    throw new StartRefused('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY must be set together.')
  return public_key && private_key ? { public_key, private_key } : undefined
}

import { z } from 'zod'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  choice,
  type Installation,
  list,
  secret,
  type Values,
} from '../../lib/configuration/variables.ts'
import { isWeakSecret } from '../../lib/configuration/weak-secret.ts'

export const TURN_VARIABLES = {
  DIRECT_CALLS: choice('on', 'off').describe(
    'Lets production start without a relay: the two users of a call then learn each other’s address.',
  ),
  TURN_URLS: list(
    'TURN addresses with commas between, like turn:turn.example:3478?transport=udp',
    z.string().regex(/^turns?:.+/),
  ).describe('The relay between two browsers.'),
  TURN_SECRET: secret('the relay’s static-auth-secret').describe(
    'Signs the relay’s credentials. Must be random in production.',
  ),
  TURN_ADDRESSES: list(
    'single IP addresses with commas between',
    z.union([z.ipv4(), z.ipv6()]),
  ).describe(
    'The public addresses of the relay, if its name does not resolve to them. Only candidates with these addresses pass.',
  ),
}

export function readTurn(
  {
    TURN_URLS: urls,
    TURN_SECRET: given,
    TURN_ADDRESSES: addresses,
    DIRECT_CALLS,
  }: Values<typeof TURN_VARIABLES>,
  { production }: Installation,
) {
  if ((urls === undefined) !== (given === undefined))
    throw new StartRefused('TURN_URLS and TURN_SECRET must be set together.')
  if (production && given !== undefined && isWeakSecret(given))
    throw new StartRefused(
      'TURN_SECRET must be random when NODE_ENV is production, as openssl rand -hex 32 makes it.',
    )
  if (production && urls === undefined && DIRECT_CALLS !== 'on')
    throw new StartRefused(
      'TURN_URLS must be set when NODE_ENV is production, or DIRECT_CALLS=on: without a relay the two users of a call learn each other’s address.',
    )
  return urls && given ? { urls, secret: given, addresses } : undefined
}

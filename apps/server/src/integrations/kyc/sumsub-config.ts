import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  choice,
  type Installation,
  origin,
  pattern,
  secret,
  text,
  type Values,
} from '../../lib/configuration/variables.ts'
import { isWeakSecret } from '../../lib/configuration/weak-secret.ts'

export const SUMSUB_VARIABLES = {
  SUMSUB_APP_TOKEN: pattern('an app token like prd:…', /^(sbx|prd):./)
    .describe(
      'Sumsub as the second way of verification; needs the other SUMSUB_ variables. Production refuses one of the sandbox.',
    )
    .meta({ secret: true }),
  SUMSUB_SECRET_KEY: secret('the secret key of the app token').describe(
    'Signs the requests to Sumsub.',
  ),
  SUMSUB_WEBHOOK_SECRET: secret('the secret of the webhook').describe(
    'Sumsub signs its notices with it. Their address is PUBLIC_ORIGIN/api/ss/kyc/notify.',
  ),
  SUMSUB_LEVEL: text('the name of a level', 1, 100).describe('The level that a user has to pass.'),
  SUMSUB_DIGEST: choice('sha256', 'sha512')
    .prefault('sha256')
    .describe('The algorithm of the notices, as it is set at Sumsub.'),
  SUMSUB_URL: origin
    .prefault('https://api.sumsub.com')
    .describe('The API of Sumsub, and the origin of its frame.'),
}

/** The configuration of Sumsub: all of its variables are set, or no variable. */
export function readSumsub(values: Values<typeof SUMSUB_VARIABLES>, { production }: Installation) {
  const { SUMSUB_APP_TOKEN: app_token, SUMSUB_SECRET_KEY: request_secret } = values
  const { SUMSUB_WEBHOOK_SECRET: webhook_secret, SUMSUB_LEVEL: level } = values
  if ([app_token, request_secret, webhook_secret, level].every((given) => given === undefined))
    return undefined
  if (!app_token || !request_secret || !webhook_secret || !level)
    throw new StartRefused(
      'SUMSUB_APP_TOKEN, SUMSUB_SECRET_KEY, SUMSUB_WEBHOOK_SECRET and SUMSUB_LEVEL must be set together.',
    )
  const { SUMSUB_URL: url, SUMSUB_DIGEST: digest } = values
  if (production && (app_token.startsWith('sbx:') || !url.startsWith('https://')))
    throw new StartRefused(
      'SUMSUB_APP_TOKEN must be one of production (prd:) when NODE_ENV is production: the sandbox verifies no real person.',
    )
  if (production && isWeakSecret(webhook_secret))
    throw new StartRefused('SUMSUB_WEBHOOK_SECRET must be random when NODE_ENV is production.')
  return { url, app_token, request_secret, webhook_secret, level, digest }
}

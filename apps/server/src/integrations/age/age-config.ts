import { isProtected } from '../../lib/addresses/loopback.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  choice,
  type Installation,
  origin,
  secret,
  text,
  type Values,
} from '../../lib/configuration/variables.ts'

const AGE_URLS = { yoti: 'https://age.yoti.com', verifymyage: 'https://oauth.verifymyage.com' }

export const AGE_VARIABLES = {
  AGE_PROVIDER: choice('yoti', 'verifymyage').describe(
    'Proves the age of guys in the countries of the setting age_proof_countries; needs AGE_CLIENT and AGE_SECRET. Absent: their documents prove it.',
  ),
  AGE_CLIENT: text('the SDK id of Yoti or the client id of VerifyMyAge').describe(
    'Belongs to AGE_PROVIDER.',
  ),
  AGE_SECRET: secret('the API key of Yoti or the secret of VerifyMyAge').describe(
    'Belongs to AGE_PROVIDER.',
  ),
  AGE_URL: origin.describe(
    'The API of AGE_PROVIDER, when it is not the one that the provider documents.',
  ),
}

/** The provider of age proofs, where a provider is configured. */
export function readAgeProvider(
  values: Values<typeof AGE_VARIABLES>,
  { production }: Installation,
) {
  const { AGE_PROVIDER: provider, AGE_CLIENT: client, AGE_SECRET: secret, AGE_URL } = values
  if (provider === undefined) return undefined
  if (!client || !secret)
    throw new StartRefused('AGE_PROVIDER must come with AGE_CLIENT and AGE_SECRET.')
  if (production && AGE_URL !== undefined && !isProtected(AGE_URL))
    throw new StartRefused(
      'AGE_URL must be an https:// origin when NODE_ENV is production: its answers prove ages.',
    )
  return { provider, client, secret, url: AGE_URL ?? AGE_URLS[provider] }
}

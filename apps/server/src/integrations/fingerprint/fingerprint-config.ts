import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { choice, origin, pattern, secret, type Values } from '../../lib/configuration/variables.ts'

const URLS = {
  us: 'https://api.fpjs.io',
  eu: 'https://eu.api.fpjs.io',
  ap: 'https://ap.api.fpjs.io',
}
/** The sources that the script of the service needs in the policy of our pages. */
const SOURCES = {
  scripts: ['https://fpjscdn.net'],
  connections: ['https://fpjscdn.net', 'https://api.fpjs.io', 'https://*.api.fpjs.io'],
}

export const FINGERPRINT_VARIABLES = {
  FINGERPRINT_PRO_SECRET: secret('the secret key of the server API').describe(
    'Fingerprint Pro confirms the visitor ids of PRO_D_INFO; absent: they are not stored. It was not tried with a real account.',
  ),
  // A part of the address of the script.
  FINGERPRINT_PRO_KEY: pattern('the public key of the account', /^[A-Za-z0-9]{8,64}$/).describe(
    'Browsers load the script of Fingerprint Pro with it and send PRO_D_INFO; needs FINGERPRINT_PRO_SECRET. Absent: nothing of the service is loaded.',
  ),
  FINGERPRINT_PRO_REGION: choice('us', 'eu', 'ap')
    .prefault('us')
    .describe('The region of the account of Fingerprint Pro.'),
  FINGERPRINT_PRO_URL: origin.describe(
    'The server API of Fingerprint Pro, when it is not the one of the region.',
  ),
}

/** The service of PRO_D_INFO; without its secret no visitor id is stored. Without a key browsers do not ask the service. */
export function readFingerprintPro(values: Values<typeof FINGERPRINT_VARIABLES>) {
  const { FINGERPRINT_PRO_SECRET: secret, FINGERPRINT_PRO_KEY: key } = values
  const region = values.FINGERPRINT_PRO_REGION
  if (secret === undefined) {
    if (key === undefined) return undefined
    throw new StartRefused('FINGERPRINT_PRO_KEY must come with FINGERPRINT_PRO_SECRET.')
  }
  return { url: values.FINGERPRINT_PRO_URL ?? URLS[region], secret, key, region, sources: SOURCES }
}

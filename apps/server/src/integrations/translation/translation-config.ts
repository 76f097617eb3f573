import { isProtected } from '../../lib/addresses/loopback.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  type Installation,
  origin,
  secret,
  type Values,
} from '../../lib/configuration/variables.ts'

export const TRANSLATION_VARIABLES = {
  TRANSLATE_URL: origin.describe(
    'LibreTranslate, which translates messages that a user wants to read in another language. Absent: nothing is translated.',
  ),
  TRANSLATE_KEY: secret('an API key', 1, 200).describe(
    'Belongs to TRANSLATE_URL, where that service asks for a key.',
  ),
}

export function readTranslation(
  { TRANSLATE_URL: url, TRANSLATE_KEY: key }: Values<typeof TRANSLATION_VARIABLES>,
  { production }: Installation,
) {
  if (url === undefined) {
    if (key === undefined) return undefined
    throw new StartRefused('TRANSLATE_KEY must come with TRANSLATE_URL.')
  }
  if (production && !isProtected(url))
    throw new StartRefused(
      'TRANSLATE_URL must be an https:// origin when NODE_ENV is production: messages of users travel to it.',
    )
  return { url, key }
}

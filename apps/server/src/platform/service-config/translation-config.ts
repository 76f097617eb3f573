import { z } from 'zod'
import { isProtected } from '../../lib/loopback.ts'
import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'
import { isOrigin, type Variable } from '../variable.ts'

export interface TranslationConfig {
  readonly url: string
  readonly key: string | undefined
}

/** The variables of the translation of messages. */
export const TRANSLATION_VARIABLES = {
  TRANSLATE_URL: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin',
    meaning:
      'LibreTranslate, which translates messages that a user wants to read in another language. Absent: nothing is translated.',
  },
  TRANSLATE_KEY: {
    shape: z.string().min(1).max(200),
    expects: 'an API key',
    meaning: 'Belongs to TRANSLATE_URL, where that service asks for a key.',
  },
} as const satisfies Record<string, Variable>

export function translationOf(
  { TRANSLATE_URL: url, TRANSLATE_KEY: key }: Values,
  production: boolean,
): TranslationConfig | undefined {
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

import { limits } from '@duet/protocol'
import { isNormalizable } from '@duet/protocol/kernel/primitives.ts'
import type { RefusalName } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import { maskText } from '../../lib/text-mask.ts'
import { userText } from '../../lib/texts/user-text.ts'
import { countCharacters } from '../identity/index.ts'
import { setting } from '../settings/index.ts'

/** The form in which a text about the user is stored. A text that will be refused is returned unchanged. */
export function cleanAbout(about: string): string {
  return isNormalizable(about, limits.about_characters) ? (userText(about) ?? '') : about
}

/** Expects a text that `cleanAbout` returned. */
export function aboutRefusal(about: string): RefusalName | undefined {
  if (!isNormalizable(about, limits.about_characters)) return 'about_long'
  return countCharacters(about) > limits.about_characters ? 'about_long' : undefined
}

/**
 * Masks a text that a user shows to others. The masked text is cut again, because the stars can be longer
 * than the text they replace.
 */
export function maskProfileText(app: AppContext, written: string, charactersMax: number): string {
  const { text } = maskText(userText(written) ?? '', { words: setting(app, 'competitor_words') })
  return [...text].slice(0, charactersMax).join('')
}

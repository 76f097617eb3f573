import { createHash } from 'node:crypto'
import type { App } from '../../../core/app.ts'
import { maskNeighbours } from '../../../lib/text-mask.ts'
import { setting } from '../../settings/index.ts'
import { comparable } from '../rules.ts'

const DIGEST_CHARACTERS = 16

/**
 * A text as it is stored, and its original if the two differ. `recent`: what the sender wrote here just
 * before, because a contact may be split over several messages.
 */
export function maskMessage(
  app: App,
  recent: readonly string[],
  written: string,
): { readonly text: string; readonly original: string | null } {
  const { text, masked } = maskNeighbours(recent, written, {
    words: setting(app, 'competitor_words'),
  })
  return { text, original: masked ? written : null }
}

/** Texts that count as the same have the same digest. */
export function computeDigest(text: string): string {
  return createHash('sha256').update(comparable(text)).digest('hex').slice(0, DIGEST_CHARACTERS)
}

import type { App } from '../../core/app.ts'
import { open, seal } from '../../lib/cipher.ts'
import { keyFor } from '../../lib/derived-key.ts'

/** The words of a reporter, encrypted in the database. */
export interface ReportWords {
  readonly contact: string
  readonly where: string
  readonly text: string
  /** The signature, or the authority and its officer. */
  readonly signature: string
  readonly reference: string
}

const UNREADABLE: ReportWords = { contact: '', where: '', text: '', signature: '', reference: '' }
const WORDS_BYTES_MAX = 128 * 1024

export function wordsKey(app: App): Buffer {
  return keyFor(app.config, 'public reports')
}

export function sealWords(app: App, words: ReportWords): string {
  return seal(wordsKey(app), words)
}

/** Empty words after the key of the server was changed: the report can still be decided. */
export function openWords(app: App, sealed: string): ReportWords {
  return (open(wordsKey(app), sealed, WORDS_BYTES_MAX) as ReportWords | undefined) ?? UNREADABLE
}

import { foundAddresses } from './text-mask/addresses.ts'
import { foundEncoded, foundReversed } from './text-mask/encoded-addresses.ts'
import { foundCompetitors } from './text-mask/competitor-words.ts'
import { foundNumbers } from './text-mask/numbers.ts'
import { lookAlikeSkeletons, plainSkeleton, squeezedSkeleton } from './text-mask/skeleton.ts'
import { inOriginal, merged, type Span, starred } from './text-mask/spans.ts'

export { isMaskableWord } from './text-mask/competitor-words.ts'

/**
 * Masks contact details: links, e-mail addresses, card numbers, runs of 8 to 15 digits not starting with 0,
 * domain names, competitor words; also through the tricks by which they are hidden. `docs/rules.md` lists both.
 *
 * The work grows linearly with the text: every repetition of a pattern is bounded, and a character is looked at from a
 * bounded distance.
 */
export interface MaskOptions {
  /** Competitor words from the settings. */
  readonly words: readonly string[]
}

export interface MaskResult {
  readonly text: string
  readonly masked: boolean
}

export function maskText(original: string, options: MaskOptions): MaskResult {
  return masked(original, contactsIn(original, options), options)
}

/** The earlier messages of a sender that are read together with a new one: this number at most, and no older ones. */
export const NEIGHBOURS_MAX = 12
export const NEIGHBOURS_WITHIN_MINUTES = 5
const NEIGHBOUR_CHARACTERS_MAX = 200

/**
 * Masks a message together with the messages that its sender wrote shortly before, the oldest first and as they were
 * written: a contact that is split over several is masked where it ends. The caller chooses the messages by their time.
 */
export function maskNeighbours(
  recent: readonly string[],
  text: string,
  options: MaskOptions,
): MaskResult {
  // A line break in a message is no end of a message.
  const before = recent
    .slice(-NEIGHBOURS_MAX)
    .map((one) => `${one.slice(-NEIGHBOUR_CHARACTERS_MAX).replaceAll('\n', ' ')}\n`)
    .join('')
  const own = contactsIn(text, options)
  if (before === '') return masked(text, own, options)
  const spans = contactsIn(before + text, options)
    .filter(([start, end]) => start < before.length && end > before.length)
    .map(([, end]): Span => [0, end - before.length])
  return masked(text, merged([...own, ...spans]), options)
}

/** The text left and right of stars can be a contact together, so a masked text is searched again. */
const ROUNDS_MAX = 8

function masked(original: string, spans: readonly Span[], options: MaskOptions): MaskResult {
  if (spans.length === 0) return { text: original, masked: false }
  let text = original
  let left = spans
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round += 1) {
    text = starred(text, left)
    left = contactsIn(text, options)
  }
  return { text, masked: true }
}

function contactsIn(original: string, { words }: MaskOptions): Span[] {
  return merged([
    ...contactsInForms(original, words),
    ...foundEncoded(original, (decoded) => contactsInForms(decoded, words).length > 0),
  ])
}

function contactsInForms(original: string, words: readonly string[]): Span[] {
  const plain = plainSkeleton(original)
  const squeezed = squeezedSkeleton(plain)
  const spans = [
    ...inOriginal(plain, [
      ...foundNumbers(plain),
      ...foundAddresses(plain.text, { isStrict: false }),
      ...foundReversed(plain.text),
      ...foundCompetitors(plain.text, words),
    ]),
    ...(squeezed ? inOriginal(squeezed, foundAddresses(squeezed.text, { isStrict: true })) : []),
  ]
  for (const alike of lookAlikeSkeletons(original, plain)) {
    const addresses = foundAddresses(alike.text, { isStrict: true })
    spans.push(...inOriginal(alike, [...addresses, ...foundCompetitors(alike.text, words)]))
  }
  return spans
}

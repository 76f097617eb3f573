import { foundAddresses, foundEncoded, foundReversed } from './text-mask/addresses.ts'
import { foundCompetitors, foundHandles } from './text-mask/competitor-words.ts'
import { foundNumbers } from './text-mask/numbers.ts'
import type { Skeleton } from './text-mask/folding.ts'
import { lookAlikeParts, plainSkeleton, squeezedParts } from './text-mask/skeleton.ts'
import { inOriginal, merged, type Span, starred, toStars } from './text-mask/spans.ts'
import { getPart, touching, windowsAround } from './text-mask/windows.ts'

export { isMaskableWord } from './text-mask/competitor-words.ts'

/**
 * Masks contact details: links, e-mail addresses, card numbers, domain names, competitor words, and runs of
 * 8 to 15 digits that do not start with 0. It also finds the tricks that hide them. `docs/rules.md` lists
 * both.
 *
 * The work grows linearly with the text: every repetition of a pattern is bounded, and so is the distance
 * of every look-around.
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

/** At most this number of earlier messages of a sender is read together with a new message. */
export const NEIGHBOURS_MAX = 12
export const NEIGHBOURS_WITHIN_MINUTES = 5
export const NEIGHBOUR_CHARACTERS_MAX = 200

/**
 * Masks a message together with the sender's previous messages: the oldest first, as they were written. If
 * a contact is split over several messages, it is masked in the last part. The caller chooses the messages
 * by their time.
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
  const boundary: Span = [before.length - 1, before.length]
  const spans = contactsAround(before + text, [boundary], options)
    .filter(([start, end]) => start < before.length && end > before.length)
    .map(([, end]): Span => [0, end - before.length])
  return masked(text, merged([...own, ...spans]), options)
}

/** The text left and right of stars can be a contact together, so what is around them is searched again. */
const ROUNDS_MAX = 8

function masked(original: string, spans: readonly Span[], options: MaskOptions): MaskResult {
  if (spans.length === 0) return { text: original, masked: false }
  let text = original
  let left = spans
  for (let round = 0; round < ROUNDS_MAX && left.length > 0; round += 1) {
    const stars = toStars(left)
    text = starred(text, left)
    left = contactsAround(text, stars, options)
  }
  return { text, masked: true }
}

/** The contacts of a text that has been searched but for these parts. */
function contactsAround(text: string, parts: readonly Span[], options: MaskOptions): Span[] {
  const plain = plainSkeleton(text)
  return merged(
    windowsAround(plain, parts).flatMap(({ searched, near }) =>
      touching(
        contactsInPart(text, getPart(plain, searched), options),
        inOriginal(plain, [near])[0]!,
      ),
    ),
  )
}

function contactsIn(original: string, options: MaskOptions): Span[] {
  return merged(contactsInPart(original, plainSkeleton(original), options))
}

function contactsInPart(original: string, plain: Skeleton, { words }: MaskOptions): Span[] {
  const isContact = (decoded: string) =>
    contactsInForms(decoded, plainSkeleton(decoded), words).length > 0
  const begin = plain.from[0]!
  const encoded = foundEncoded(original.slice(begin, plain.from.at(-1)), isContact)
  return [
    ...contactsInForms(original, plain, words),
    ...encoded.map(([start, end]): Span => [begin + start, begin + end]),
  ]
}

/** The contacts in a part of a text that its plain form stands for. */
function contactsInForms(original: string, plain: Skeleton, words: readonly string[]): Span[] {
  const competitors = foundCompetitors(plain.text, words)
  const spans = inOriginal(plain, [
    ...foundNumbers(plain),
    ...foundAddresses(plain.text, { isStrict: false }),
    ...foundReversed(plain.text),
    ...competitors,
  ])
  for (const { form, near } of squeezedParts(plain)) {
    const addresses = foundAddresses(form.text, { isStrict: true })
    spans.push(...touching(inOriginal(form, addresses), near))
  }
  let isCompetitor = competitors.length > 0
  for (const { form, near } of lookAlikeParts(original, plain)) {
    const addresses = foundAddresses(form.text, { isStrict: true })
    const alike = foundCompetitors(form.text, words)
    isCompetitor ||= alike.length > 0
    spans.push(...touching(inOriginal(form, [...addresses, ...alike]), near))
  }
  return isCompetitor ? [...spans, ...inOriginal(plain, foundHandles(plain.text))] : spans
}

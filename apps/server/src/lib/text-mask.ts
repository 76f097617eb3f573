import { skeletonOf } from './text-skeleton.ts'

/**
 * Masks contact details: links, e-mail addresses, card numbers, runs of 8 to 15 digits not starting with 0,
 * domain names, competitor words; also through spaces, dots and dashes between digits, look-alike and full-width
 * characters, zero-width characters, "(at)" and "dot".
 *
 * Every pattern is linear: classes are disjoint where they meet, and every repetition is bounded.
 */
export interface MaskOptions {
  /** Competitor words from the settings. */
  readonly words: readonly string[]
}

export interface MaskResult {
  readonly text: string
  readonly masked: boolean
}

const STARS = '***'
type Span = readonly [start: number, end: number]

const TLDS =
  'com|net|org|info|biz|me|io|co|tv|cc|app|dev|chat|live|link|site|online|xyz|club|shop|ru|su|ua|by|kz|de|fr|es|it|pt|br|uk|us|eu|cn|jp|kr|ae|in|tr|pl|nl|gg|ly|to|onlyfans|cam|sex|xxx|porn'
const at = String.raw`\s{0,2}(?:@|[(\[{]\s?(?:at|a|@)\s?[)\]}])\s{0,2}|\s(?:at|arroba|chiocciola)\s`
const dot = String.raw`\s{0,2}(?:\.|[(\[{]\s?(?:dot|\.|punkt|point|punto|ponto)\s?[)\]}])\s{0,2}|\s(?:dot|punkt|punto|ponto|toчka|tohka)\s`
const NAME = '[a-z0-9_-]{1,63}'

const LINKS = /(?:https?|ftp|tg|skype|viber|whatsapp):\/{0,2}[^\s]{2,500}|\bwww\.[^\s]{2,500}/g
const emails = new RegExp(
  String.raw`[a-z0-9._%+-]{1,64}(?:${at})${NAME}(?:(?:${dot})${NAME}){1,4}`,
  'g',
)
const domains = new RegExp(
  String.raw`(?<![a-z0-9_-])${NAME}(?:(?:\.|[(\[{]\s?(?:dot|\.)\s?[)\]}])${NAME}){0,3}(?:${dot})(?:${TLDS})(?![a-z0-9])(?:/[^\s]{0,300})?`,
  'g',
)
/** Digits with at most two separators between neighbours. Runs longer than a card's number are not masked. */
const DIGIT_RUNS = /(?<!\d)\+?\d(?:[ .\-_()/*,]{0,2}\d){7,18}(?!\d)/g

/** Runs of digits that are no phone number: dates with or without time, sums with separated thousands. */
const harmless = [
  /^\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}(?:[ ,]{1,2}\d{1,2}[.]\d{2})?$/,
  /^(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2}(?:[ ,]{1,2}\d{1,2}[.]\d{2})?$/,
  /^\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2} ?- ?\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2}$/,
  /^(?:19|20)\d{2} ?- ?(?:19|20)\d{2}$/,
  /^\d{1,3}(?:[ .,]\d{3}){2,4}(?:[.,]\d{1,2})?$/,
]

export function maskText(original: string, { words }: MaskOptions): MaskResult {
  const { text, from } = skeletonOf(original)
  const spans: Span[] = [
    ...found(text, LINKS),
    ...found(text, emails),
    ...found(text, domains).filter(([start, end]) => isDomain(text.slice(start, end))),
    ...found(text, DIGIT_RUNS).filter(([start, end]) => isNumberToCall(text.slice(start, end))),
    ...foundWords(text, words),
  ]
  if (spans.length === 0) return { text: original, masked: false }
  return {
    text: starred(original, merged(spans.map(([start, end]) => [from[start]!, from[end]!]))),
    masked: true,
  }
}

function found(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length])
}

/** "ok.me too" is a slip of the keyboard only when a space follows the dot, and "1.5 to" is a measure. */
function isDomain(run: string): boolean {
  const [head = ''] = run.split(/[\s.([{]/)
  const isSpaced = /\s(?:dot|punkt|punto|ponto|to\S{1,2}ka|tohka)?\s|\.\s|\s\./.test(run)
  const tld = /([a-z]+)(?:\/.*)?$/.exec(run)?.[1] ?? ''
  // Short words of many languages are top-level domains too: with spaces they count only when they are no word.
  return (
    !/^\d+$/.test(head) && (!isSpaced || /^(?:com|net|org|info|ru|app|online|site|xyz)$/.test(tld))
  )
}

function isNumberToCall(run: string): boolean {
  const digits = run.replace(/\D/g, '')
  if (harmless.some((form) => form.test(run))) return false
  if (digits.length >= 13 && digits.length <= 19 && isCard(digits)) return true
  return digits.length >= 8 && digits.length <= 15 && !digits.startsWith('0')
}

/** Luhn's check digit. */
function isCard(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const value = Number(digits[digits.length - 1 - i]) * (i % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** The letters and digits of a word of the settings, in the form in which texts are searched. */
function lettersOf(word: string): string[] {
  return [...skeletonOf(word).text].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
}

const WORD_LETTERS_MIN = 3

/** Whether a word is long enough to be searched: a shorter one would mask parts of ordinary sentences. */
export function isMaskableWord(word: string): boolean {
  return lettersOf(word).length >= WORD_LETTERS_MIN
}

/** Whole words, whatever separators were put between their letters; undefined if there is none. */
function patternOf(words: readonly string[]): RegExp | undefined {
  const alternatives = words
    .filter(isMaskableWord)
    .map((word) => lettersOf(word).map(RegExp.escape).join("[ ._*'’-]{0,2}"))
  if (alternatives.length === 0) return undefined
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join('|')})(?![\p{L}\p{N}])`,
    'gu',
  )
}

/** A setting is the same list until it changes, so its pattern is built once. */
const patterns = new WeakMap<readonly string[], { readonly pattern: RegExp | undefined }>()

function foundWords(text: string, words: readonly string[]): Span[] {
  let built = patterns.get(words)
  if (!built) patterns.set(words, (built = { pattern: patternOf(words) }))
  return built.pattern ? found(text, built.pattern) : []
}

function merged(spans: Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => a[0] - b[0])
  const kept: [number, number][] = []
  for (const [start, end] of sorted) {
    const last = kept.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else kept.push([start, end])
  }
  return kept
}

function starred(original: string, spans: readonly Span[]): string {
  let text = ''
  let at = 0
  for (const [start, end] of spans) {
    text += original.slice(at, start) + STARS
    at = end
  }
  return text + original.slice(at)
}

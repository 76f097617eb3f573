import { carved, isHarmlessRun, withoutCounting } from './harmless-numbers.ts'
import type { Skeleton } from './folding.ts'
import { type NumberToken, readNumberTokens } from './number-tokens.ts'
import type { Span } from './spans.ts'

const DIGITS_MIN = 8
const DIGITS_MAX = 15
const CARD_DIGITS_MIN = 13
const CARD_DIGITS_MAX = 19

/** Between two numbers of one run: separators, the word for a dash, and from message to message a word for "then". */
const GAP = /^[^\p{L}\p{N}]{0,5}$/u
const REPEATED_GAP = /^([^\p{L}\p{N}])\1{0,20}$/u
const SPELLED_GAP =
  /^[^\p{L}\p{N}]{1,3}(?:dash|minus|hyphen|space|plus|tire|тире|дефис|минус|плюс|пробел|strich|bindestrich|tiret|tirets|espace|moins|guion|guiones|menos|trattino|meno|hifen|traco|شرطه|杠|대시)[^\p{L}\p{N}]{1,3}$/u
const AND_GAP = /^[^\p{L}\p{N}]{1,2}(?:and|und|et|y|e|i|и|و)[^\p{L}\p{N}]{1,2}$/u
const NEXT_MESSAGE_GAP =
  /^[^\p{L}\p{N}\n]{0,3}\n[^\p{L}\p{N}]{0,3}(?:(?:and|then|next|after that|потом|дальше|затем|далее|и|а потом|dann|und|weiter|puis|ensuite|et|luego|despues|y|poi|dopo|e|depois|然后|再|接着|그리고|다음|それから|つぎ|次|ثم|بعدين|و)[^\p{L}\p{N}]{1,3}){0,2}$/u
/** Within a message a list of amounts may have such a word too: "415 then 555", but not "1999 then 2005". */
const THEN_GAP =
  /^[^\p{L}\p{N}]{1,2}(?:(?:and )?then|dann|puis|luego|poi|depois|потом|затем)[^\p{L}\p{N}]{1,2}$/u
const DIALLED = /^(?!(?:19|20)\d\d$)\d{2,3}[1-9]$/
const GAP_MAX = 24

export function foundNumbers({ text }: Skeleton): Span[] {
  const searched = carved(text)
  return findRuns(searched, readNumberTokens(searched)).flatMap((run) => findSpans(searched, run))
}

function findRuns(text: string, tokens: readonly NumberToken[]): NumberToken[][] {
  const runs: NumberToken[][] = []
  for (const token of tokens) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    if (before && joins(text, before, token)) run!.push(token)
    else runs.push([token])
  }
  return runs
}

function joins(text: string, before: NumberToken, after: NumberToken): boolean {
  if (after.start - before.end > GAP_MAX) return false
  if (isOtherWord(text, before, after) || isOtherWord(text, after, before)) return false
  const gap = text.slice(before.end, after.start)
  if (GAP.test(gap) || REPEATED_GAP.test(gap) || SPELLED_GAP.test(gap)) return true
  if (NEXT_MESSAGE_GAP.test(gap)) return true
  if (THEN_GAP.test(gap)) return DIALLED.test(before.digits) && DIALLED.test(after.digits)
  return (before.isWord && after.isWord && AND_GAP.test(gap)) || isArabicAnd(gap, after)
}

/** In "12. Dez. 1806" and "1970 um 20.27 Uhr" stand words that are numbers in another language. */
function isOtherWord(text: string, word: NumberToken, beside: NumberToken): boolean {
  return (
    word.isWord &&
    !beside.isWord &&
    beside.digits.length > 1 &&
    OTHER_WORDS.test(text.slice(word.start, word.end))
  )
}
const OTHER_WORDS = /^(?:um|dez|un|une|una|ein|eine|sei|due|once|ten|ate|for|on|oh|too|to|won)$/

function isArabicAnd(gap: string, after: NumberToken): boolean {
  return after.isWord && gap.endsWith('و') && GAP.test(gap.slice(0, -1))
}

function findSpans(text: string, run: readonly NumberToken[]): Span[] {
  const tokens = withoutZeros(withoutCounting(text, run))
  if (tokens.length === 0 || isHarmlessRun(text, tokens)) return []
  const digits = getValue(tokens)
  const start = tokens[0]!.start
  const whole: Span[] = [[text[start - 1] === '+' ? start - 1 : start, tokens.at(-1)!.end]]
  if (digits.length < DIGITS_MIN) return []
  if (digits.length <= CARD_DIGITS_MAX && digits.length >= CARD_DIGITS_MIN && isCard(digits))
    return whole
  // A single number longer than a telephone number is no contact. A row of numbers counts as several
  // numbers.
  if (digits.length > DIGITS_MAX && tokens.length === 1) return []
  return digits.startsWith('0') ? [] : whole
}

/** A zero that stands apart before the number is no part of it. */
function withoutZeros(run: readonly NumberToken[]): readonly NumberToken[] {
  const first = run.findIndex(({ digits }) => !/^0+$/.test(digits))
  return first === -1 ? [] : run.slice(first)
}

/** The digits as they are dialled: "twenty three" is 23. */
function getValue(tokens: readonly NumberToken[]): string {
  let value = ''
  let zeros = 0
  for (const { digits, isWord } of tokens) {
    const fits = isWord && digits.length <= zeros && !digits.startsWith('0')
    value = (fits ? value.slice(0, -digits.length) : value) + digits
    zeros = isWord ? /0*$/.exec(digits)![0].length : 0
    if (digits === '0') zeros = 0
  }
  return value
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

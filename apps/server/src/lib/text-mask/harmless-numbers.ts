import type { NumberToken } from './number-tokens.ts'
import type { Span } from './spans.ts'

const DAY = String.raw`(?:0?[1-9]|[12]\d|3[01])`
const MONTH = String.raw`(?:0?[1-9]|1[012])`
const YEAR = String.raw`(?:19|20)\d{2}`
/** Years of a life that is over too: "(1643-1715)". */
const LIFE_YEAR = String.raw`(?:1\d|20)\d{2}`
const ALONE = String.raw`(?<![\d+]|\d[.:/-])`
const END = String.raw`(?!\d|[.:/-]\d)`
const END_OF_DATE = String.raw`(?!\d|[.:/]\d)`
const SUM = String.raw`(?:\d{1,3}(?:[ .,'’]\d{3}){1,4}|\d{1,7})(?:[.,]\d{1,2})?`
const CURRENCY = '[$€£₽¥₩₺₹₴]'
const UNIT = String.raw`(?:[$€£₽¥₩₺₹₴%]|(?:k|rub|rubles?|руб|рублей|рубля|р|тыс|тысяч|монет|монеты|евро|доллар|долларов|eur|euros?|usd|dollars?|dollari|dolares|bucks|pounds|gbp|chf|yen|yuan|won|coins?|credits?|tokens?|monedas|moedas|monete|munzen|pieces|jetons|reais|pesos|км|km|m|kg|кг|г|ريال|دولار|درهم|يورو|جنيه|دينار|ليره|عمله)(?!\p{L})|元|块|塊|円|えん|원|人|万|億|亿|个|個|명|만|억|枚|票|달러|유로|ドル|どる|유로|コイン|こいん|코인)`

/** Forms of numbers that are no contact, before runs of digits are searched. */
const forms = [
  // Dates, also with a time, and ranges of dates.
  `${ALONE}(?:${DAY}[./]${MONTH}|${MONTH}[./]${DAY})[./](?:${YEAR}|\\d{2})(?:г|y)?${END_OF_DATE}`,
  `${ALONE}(?:${DAY}-${MONTH}|${MONTH}-${DAY})-${YEAR}${END}`,
  `${ALONE}${YEAR}([./-])${MONTH}\\1${DAY}${END_OF_DATE}`,
  `${ALONE}${YEAR}[년年]\\s?${MONTH}[월月]\\s?${DAY}[일日]`,
  '[一二][〇零一二三四五六七八九]{3}年(?:[一二三四五六七八九十]{1,2}月(?:[一二三四五六七八九十]{1,3}[日号號])?)?',
  // Times, and scores of games.
  `${ALONE}(?:[01]?\\d|2[0-4]):[0-5]?\\d(?::[0-5]\\d)?${END_OF_DATE}`,
  `${ALONE}(?:[01]?\\d|2[0-4])[.:][0-5]\\d ?- ?(?:[01]?\\d|2[0-4])[.:][0-5]\\d${END}`,
  `(?<![\\d:]|\\d[ .-])\\d{1,3}:\\d{1,3}(?=, ?\\d{1,3}:\\d|$|[^\\d\\s:.,/-]|\\s+[^\\d\\s]|[.,!?](?!\\d))`,
  // Years one after the other.
  `${ALONE}${LIFE_YEAR}(?: ?[-/,] ?${LIFE_YEAR}){1,9}${END}`,
  `${ALONE}3[.,]1415\\d*`,
  `${ALONE}${YEAR} ?- ?\\d{2}${END}`,
  // Sums of money and measures: with their unit, with thousands apart that end with 000, with decimals.
  `${CURRENCY} ?${SUM}(?: ?- ?${CURRENCY}? ?${SUM})?${END}`,
  `${ALONE}${SUM}(?: ?[-/] ?${SUM})? ?${UNIT}`,
  `${ALONE}\\d{1,3}(?:[ .,'’]\\d{3}){0,3}[ .,'’]000(?:[.,]\\d{1,2})?${END}`,
  `${ALONE}\\d{1,3}(?:\\.\\d{3}){2,4},\\d{1,2}${END}`,
  `${ALONE}\\d{1,3}(?:,\\d{3}){2,4}(?:\\.\\d{1,2})?${END}(?!,? ?\\d)`,
  // The measures of a figure; idioms; one digit over and over, as applause.
  `${ALONE}(?:[89]\\d|1[01]\\d)[-/][5-8]\\d[-/](?:[89]\\d|1[01]\\d)${END}`,
  '三三[两兩二]{2}|七七八八',
  `(?<!\\d)(\\d)\\2{5,}(?!\\d)`,
  // Decimals in a list.
  `(?<![\\d.,+] ?)\\d{1,3}[.,]\\d{1,2}(?=[,;] |$| ?- ?\\d{1,3}[.,]\\d{1,2}(?![.,]?\\d))`,
]
/** Each of them begins with one of these, which is quickly seen of a letter. */
const BEGINNING = '(?=[\\d$€£₽¥₩₺₹₴一二三七])'
const HARMLESS = new RegExp(`${BEGINNING}(?:${forms.join('|')})`, 'gu')

/** The text with letters in place of harmless numbers, which so separate what is left and right of them. */
export function carved(text: string): string {
  return /[\d一二三七]/.test(text)
    ? text.replace(HARMLESS, (form) => 'x'.repeat(form.length))
    : text
}

/** Counting, one digit over and over, and lists of rising or round numbers are no contact. */
export function isHarmlessRun(text: string, tokens: readonly NumberToken[]): boolean {
  const digits = tokens.map((token) => token.digits).join('')
  if (/^(\d)\1*$/.test(digits) || /^\d0+$/.test(digits)) return true
  if (tokens.length < 2) return false
  const values = tokens.map((token) => Number(token.digits))
  const steps = values.slice(1).map((value, index) => value - values[index]!)
  if (steps.every((step) => step === 1) || steps.every((step) => step === -1)) return true
  if (tokens.every((token) => /^\d{1,3}00$/.test(token.digits))) return true
  return isList(text, tokens) && steps.every((step) => step > 0)
}

const COUNTED_MIN = 4
/** Single characters that count from one need no comma: "일이삼사 오육". */
const COUNTED_CHARACTERS_GAP = /^[ ,;]{0,2}$/u
const COUNTED_GAP = /^(?:[,;][^\p{L}\p{N}]{0,3}|\.{2,}\s?)$/u

/** The run without counting at its end or beginning: "room 1204. One, two, three, four". */
export function withoutCounting(
  text: string,
  tokens: readonly NumberToken[],
): readonly NumberToken[] {
  const list = listIn(text, tokens)
  if (list) return tokens.filter((_, index) => index < list[0] || index >= list[1])
  const isOne = (token: NumberToken | undefined) => token?.digits === '1'
  const up = countedAtEnd(text, tokens, 1)
  if (up >= COUNTED_MIN && isOne(tokens.at(-up))) return tokens.slice(0, -up)
  const down = countedAtEnd(text, tokens, -1)
  if (down >= COUNTED_MIN && isOne(tokens.at(-1))) return tokens.slice(0, -down)
  if (!isOne(tokens[0])) return tokens
  const first = tokens.findIndex((_, index) => index > 0 && !isCountedFromOne(text, tokens, index))
  return first >= COUNTED_MIN ? tokens.slice(first) : tokens
}

/** A list of rising numbers, of which the last has two digits or more: "3, 7, 12, 25". */
function listIn(text: string, tokens: readonly NumberToken[]): Span | undefined {
  for (let first = 0; first < tokens.length;) {
    let end = first + 1
    while (end < tokens.length && isListed(text, tokens[end - 1]!, tokens[end]!)) end += 1
    if (end - first >= COUNTED_MIN && tokens[end - 1]!.digits.length > 1) return [first, end]
    first = end
  }
  return undefined
}

function isListed(text: string, before: NumberToken, token: NumberToken): boolean {
  const isNumeral = !before.isWord && !token.isWord && token.digits.length <= 3
  const isRising = Number(token.digits) > Number(before.digits)
  return isNumeral && isRising && /^[,;] $/.test(text.slice(before.end, token.start))
}

function countedAtEnd(text: string, tokens: readonly NumberToken[], step: number): number {
  let first = tokens.length - 1
  while (first > 0 && isCounted(text, tokens, first, step)) first -= 1
  return tokens.length - first
}

function isCounted(
  text: string,
  tokens: readonly NumberToken[],
  index: number,
  step: number,
): boolean {
  const [before, token] = [tokens[index - 1]!, tokens[index]!]
  return (
    Number(token.digits) - Number(before.digits) === step &&
    COUNTED_GAP.test(text.slice(before.end, token.start))
  )
}

function isCountedFromOne(text: string, tokens: readonly NumberToken[], index: number): boolean {
  const [before, token] = [tokens[index - 1]!, tokens[index]!]
  const isNext = before.isWord && token.isWord && Number(token.digits) === index + 1
  const areCharacters = before.end - before.start === 1 && token.end - token.start === 1
  return (
    isCounted(text, tokens, index, 1) ||
    (isNext && areCharacters && COUNTED_CHARACTERS_GAP.test(text.slice(before.end, token.start)))
  )
}

/** A comma and a space between all of them. */
function isList(text: string, tokens: readonly NumberToken[]): boolean {
  return tokens.every(
    ({ end, digits }, index) =>
      digits.length <= 4 &&
      (index === tokens.length - 1 || /^[,;] $/.test(text.slice(end, tokens[index + 1]!.start))),
  )
}

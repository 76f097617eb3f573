import { wordAt } from './address-forms.ts'
import {
  ideographs,
  mayBeNumberWord,
  numberWordAt,
  numberWords,
  syllables,
} from './number-words.ts'

/** Digits, or a word for them, at a place of the text. */
export interface NumberToken {
  readonly start: number
  readonly end: number
  readonly digits: string
  readonly isWord: boolean
}

const LETTER = 1
const DIGIT = 2
const HAN = 4
const HANGUL = 8
const KANA = 16
/** One character that is a digit among others of its script. */
const FIGURE = 32
const KNOWN = 64

/** The kinds of a character, each looked up once: most of a text is letters, and a pattern would ask again for each of them. */
const kindsOfUnits = new Uint8Array(0x1_0000)

function kindsAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return kindsOfUnits[code]! || kindsOfNew(text, at, code)
}

function kindsOfNew(text: string, at: number, code: number): number {
  // Both halves of a surrogate pair have the kinds of the character.
  if (code >= 0xd800 && code <= 0xdfff) return getKinds(characterAround(text, at)) | KNOWN
  return (kindsOfUnits[code] = getKinds(text[at]!) | KNOWN)
}

function characterAround(text: string, at: number): string {
  const isSecond = text.codePointAt(at - 1)! > 0xffff
  return String.fromCodePoint(text.codePointAt(isSecond ? at - 1 : at)!)
}

function getKinds(character: string): number {
  return (
    (/\p{L}/u.test(character) ? LETTER : 0) |
    (/\d/.test(character) ? DIGIT : 0) |
    (/[\p{Script=Han}〇]/u.test(character) ? HAN : 0) |
    (/\p{Script=Hangul}/u.test(character) ? HANGUL : 0) |
    (/\p{Script=Hiragana}/u.test(character) ? KANA : 0) |
    (ideographs.has(character) || syllables.has(character) ? FIGURE : 0)
  )
}

function endOfRun(text: string, start: number, kind: number): number {
  let end = start + 1
  while (end < text.length && (kindsAt(text, end) & kind) !== 0) end += 1
  return end
}

/** Digits, with letters between that look like digits. */
const HIRAGANA = /^\p{Script=Hiragana}/u
const NUMERAL = /(?:(?<!\p{L})[oоil]{1,2})?\d+(?:[oilszbоз]{1,2}\d+)*(?:[oоl](?![\p{L}\p{N}]))?/uy
const ARABIC_AND = 'و'
const DIGIT_LIKES = 'oоil'

export function readNumberTokens(text: string): NumberToken[] {
  const tokens: NumberToken[] = []
  for (let at = 0; at < text.length;) at = addTokensAt(tokens, text, at)
  return tokens.map((token) => repeated(text, token))
}

/** "double five" is 55. */
const REPEATS =
  /(?:(?<two>double|doble|doppio|doppia|duplo|dupla|doppel|двойная|двойной|дважды)|triple|treble|triplo|tripla|тройная|тройной|трижды)[ -]$/u
const REPEATS_CHARACTERS_MAX = 9

function repeated(text: string, token: NumberToken): NumberToken {
  const { start, digits } = token
  if (digits.length > 1 || !/[ -]/.test(text[start - 1] ?? '')) return token
  const found = REPEATS.exec(text.slice(Math.max(0, start - REPEATS_CHARACTERS_MAX), start))
  if (!found) return token
  const times = found.groups!['two'] === undefined ? 3 : 2
  return { ...token, start: start - found[0].length, digits: digits.repeat(times) }
}

/** Adds what begins at a place, and returns where it ends. */
function addTokensAt(tokens: NumberToken[], text: string, at: number): number {
  const kinds = kindsAt(text, at)
  if (kinds === KNOWN) return at + 1
  const numeral = numeralAt(text, at, kinds)
  if (numeral !== undefined) {
    tokens.push(numeralToken(numeral, at))
    return at + numeral.length
  }
  const kind = kinds & HAN || kinds & HANGUL || kinds & KANA || kinds & LETTER
  if (kind === 0) return at + 1
  const end = endOfRun(text, at, kind)
  if (kind === LETTER && !mayBeNumberWord(text, at) && text[at] !== ARABIC_AND) return end
  addLetters(tokens, text, text.slice(at, end), at, kind)
  return end
}

function addLetters(
  tokens: NumberToken[],
  text: string,
  letters: string,
  start: number,
  kind: number,
): void {
  if (kind === HAN) addCharacters(tokens, text, letters, start, ideographs)
  else if (kind === HANGUL) addHangul(tokens, text, letters, start)
  else if (kind === KANA) addJoined(tokens, letters, start, 3)
  else addWord(tokens, letters, start)
}

function numeralAt(text: string, at: number, kinds: number): string | undefined {
  return (kinds & DIGIT) !== 0 || isDigitLike(text, at) ? wordAt(text, at, NUMERAL) : undefined
}

/** Whether one or two letters that look like digits stand before a digit. */
function isDigitLike(text: string, at: number): boolean {
  if (!DIGIT_LIKES.includes(text[at]!)) return false
  const isTwo = DIGIT_LIKES.includes(text[at + 1] ?? ' ')
  const digit = isTwo ? at + 2 : at + 1
  return digit < text.length && (kindsAt(text, digit) & DIGIT) !== 0
}

const digitLikes: Record<string, string> = {
  o: '0',
  о: '0',
  i: '1',
  l: '1',
  s: '5',
  z: '2',
  b: '8',
  з: '3',
}

function numeralToken(letters: string, start: number): NumberToken {
  const digits = letters.replace(/\D/g, (one) => digitLikes[one]!)
  return { start, end: start + letters.length, digits, isWord: false }
}

function addWord(tokens: NumberToken[], letters: string, start: number): void {
  const digits = numberWords.get(letters)
  if (digits !== undefined)
    tokens.push({ start, end: start + letters.length, digits, isWord: true })
  else if (letters.startsWith(ARABIC_AND)) addJoined(tokens, letters.slice(1), start + 1, 1)
  else addJoined(tokens, letters, start, 2)
}

/** Words for numbers without separators, when the whole of the letters consists of them; in kana also a part of them. */
function addJoined(tokens: NumberToken[], letters: string, start: number, wordsMin: number): void {
  const isWhole = !HIRAGANA.test(letters)
  let row: NumberToken[] = []
  const flush = (isEnd: boolean) => {
    if (row.length >= wordsMin || (isEnd && row.at(0)?.start === start)) tokens.push(...row)
    row = []
  }
  for (let at = 0; at < letters.length;) {
    const word = numberWordAt(letters, at)
    if (word === undefined) {
      if (isWhole) return
      flush(false)
      at += 1
      continue
    }
    const digits = numberWords.get(word)!
    row.push({ start: start + at, end: start + at + word.length, digits, isWord: true })
    at += word.length
  }
  flush(true)
}

/** Three in a row, all between two separators, or the last before another number. */
function addCharacters(
  tokens: NumberToken[],
  text: string,
  letters: string,
  start: number,
  values: ReadonlyMap<string, string>,
): void {
  let at = 0
  while (at < letters.length) {
    let end = at
    while (end < letters.length && (kindsAt(letters, end) & FIGURE) !== 0) end += 1
    const count = end - at
    if (
      count >= 3 ||
      (count > 0 && (count === letters.length || isBeforeNumber(text, start + end)))
    )
      for (let i = at; i < end; i += 1)
        tokens.push({
          start: start + i,
          end: start + i + 1,
          digits: values.get(letters[i]!)!,
          isWord: true,
        })
    at = Math.max(end, at + 1)
  }
}

/** "25일" is a day, and its syllable is no digit. */
function addHangul(tokens: NumberToken[], text: string, letters: string, start: number): void {
  if (numberWordAt(letters, 0) !== undefined) addJoined(tokens, letters, start, 2)
  else if (!isCounter(text, letters, start)) addCharacters(tokens, text, letters, start, syllables)
}

function isCounter(text: string, letters: string, start: number): boolean {
  const isBetweenDigits = /\d/.test(text[start + letters.length] ?? '')
  return letters.length === 1 && /[\d.,]/.test(text[start - 1] ?? '') && !isBetweenDigits
}

function isBeforeNumber(text: string, at: number): boolean {
  return /^[ .-]{1,2}[\d零〇一二三四五六七八九]/.test(text.slice(at, at + 3))
}

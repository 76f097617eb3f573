import { AT_WORDS, DOT_WORDS } from './address-words.ts'

const OPEN = String.raw`[([{<«]\s?`
const CLOSE = String.raw`\s?[)\]}>»]`
/** Signs around a word. Around a dot they are the quotes of two sentences. */
const SIGN = String.raw`["'*_~|/\\-]{1,2}`

/** The beginnings of a sign and of the separator before a word: most places of a text are passed after one look. */
const BEGINNINGS = String.raw`\-\s@.,([{<«"'*_~|/\\`

/** Everything that stands for an at sign. Words need a separator on both sides. */
export const AT = new RegExp(
  String.raw`(?=[${BEGINNINGS}골앳あ艾圈小])(?:\s{0,2}@{1,2}\s{0,2}|\s{0,2}${OPEN}(?:${AT_WORDS}|a|@)${CLOSE}\s{0,2}|\s?${SIGN}(?:${AT_WORDS})${SIGN}\s?|\s(?:${AT_WORDS})\s|(?<=[a-z0-9])\s?(?:골뱅이|앳|あっとま-く|あっと|艾特|圈a|小老鼠)\s?)`,
  'gu',
)

/** Everything that stands for a dot of a domain name. */
export const DOT_FORMS = {
  bracketed: String.raw`\s{0,2}${OPEN}(?:${DOT_WORDS}|\.|,)${CLOSE}\s{0,2}`,
  word: String.raw`\s{1,2}(?:${DOT_WORDS})\s{1,2}|\s?${SIGN}(?:${DOT_WORDS})${SIGN}\s?|(?<=[a-z0-9])\s?(?:点|點|점|닷|どっと|てん|도트)\s?(?=[a-z])`,
  spaced: String.raw`\s{1,2}[.,]\s{0,2}|[.,]\s{1,2}`,
  comma: String.raw`,`,
  plain: String.raw`\.{1,2}`,
}
export type DotForm = keyof typeof DOT_FORMS
export const DOT = new RegExp(
  `(?=[${BEGINNINGS}点點점닷どて도])(?:${Object.entries(DOT_FORMS)
    .map(([name, form]) => `(?<${name}>${form})`)
    .join('|')})`,
  'gu',
)

export const LABEL_CHARACTER = /[\p{L}\p{N}_-]/u
export const LOCAL_CHARACTER = /[\p{L}\p{N}._%+-]/u
export const TOP_LEVEL = /xn--[a-z0-9-]{2,40}|[a-z0-9]{2,24}|[\p{L}\p{N}]{2,24}/uy
export const PATH = /[/?#:][^\s]{0,300}/uy
/** Behind a dot that was written apart, also the slash may be. */
export const SPACED_PATH = /\s{0,2}\/\s{0,2}[^\s]{1,300}/uy
export const LABEL_MAX = 64
export const NAME_MAX = 128

export function wordAt(text: string, at: number, pattern: RegExp): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/**
 * The beginning of the characters of a kind that end at a place. Letters of a script without spaces do not
 * belong to Latin letters.
 */
export function toStart(text: string, end: number, character: RegExp, max: number): number {
  let at = end
  while (at > 0 && end - at < max && character.test(text[at - 1]!)) {
    if (at < end && isUnspaced(text[at - 1]!) && !isUnspaced(text[at]!)) break
    at -= 1
  }
  return at
}

function isUnspaced(character: string): boolean {
  return character >= '\u3040' && character <= '\ud7a3'
}

import { lookAlikeSkeletons, plainSkeleton } from './skeleton.ts'
import { found, type Span } from './spans.ts'

/** The letters and digits of a word of the settings, in the form in which texts are searched. */
function toLetters(word: string): string[] {
  return lettersIn(plainSkeleton(word).text)
}

function lettersIn(text: string): string[] {
  return [...text].filter((letter) => /[\p{L}\p{N}]/u.test(letter))
}

/** Also the form with look-alikes, in which a word that mixes two alphabets is found. */
function toForms(word: string): string[][] {
  const plain = plainSkeleton(word)
  return [plain, ...lookAlikeSkeletons(word, plain)].map(({ text }) => lettersIn(text))
}

const WORD_LETTERS_MIN = 3
/** A word of scripts without spaces has more meaning in each of its characters. */
const IDEOGRAPHS_MIN = 2
const UNSPACED = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]+$/u

/** Whether a word is long enough to be searched: a shorter word would mask parts of ordinary sentences. */
export function isMaskableWord(word: string): boolean {
  const letters = toLetters(word)
  return letters.length >= (UNSPACED.test(letters.join('')) ? IDEOGRAPHS_MIN : WORD_LETTERS_MIN)
}

/** Signs and digits that are written for a letter. */
const substitutes: Record<string, string> = {
  a: '[a4@]',
  b: '[b8]',
  e: '[e3€]',
  g: '[g9]',
  i: '[i1l!|]',
  l: '[l1i|]',
  o: '[o0]',
  s: '[s5$]',
  t: '[t7+]',
  z: '[z2]',
}
const SEPARATORS = "[ \\n._*'’|/~-]{0,3}"
const REVERSED_LETTERS_MIN = 6

function letterPattern(letter: string, index: number): string {
  // The first letter keeps its form: a sign before a word is no part of it.
  const pattern =
    index === 0 ? RegExp.escape(letter) : (substitutes[letter] ?? RegExp.escape(letter))
  return `${pattern}{1,3}`
}

function spelled(letters: readonly string[]): string {
  return letters.map(letterPattern).join(SEPARATORS)
}

/** Whole words, however their letters are separated, also from right to left. Undefined without words. */
function findPattern(words: readonly string[]): RegExp | undefined {
  const alternatives = words
    .filter(isMaskableWord)
    .flatMap(toForms)
    .flatMap((letters) => {
      const isBackwardToo = letters.length >= REVERSED_LETTERS_MIN
      const forms = isBackwardToo ? [letters, letters.toReversed()] : [letters]
      return forms.map((form) => ({
        first: form[0]!,
        pattern: spelled(form),
        isUnspaced: UNSPACED.test(form.join('')),
      }))
    })
  if (alternatives.length === 0) return undefined
  const getPatterns = (isUnspaced: boolean) =>
    alternatives.filter((one) => one.isUnspaced === isUnspaced).map((one) => one.pattern)
  const [spaced, unspaced] = [getPatterns(false), getPatterns(true)]
  const wholeWords = spaced.length > 0 ? [whole(spaced.join('|'))] : []
  // The first letters are looked for before anything else: nearly no letter of a text is one of them.
  const first = [...new Set(alternatives.map((one) => one.first))].map(RegExp.escape).join('')
  return new RegExp(`(?=[${first}])(?:${[...wholeWords, ...unspaced].join('|')})`, 'gu')
}

/** A language without spaces may stand directly before and behind a word of another script. */
function whole(pattern: string): string {
  const letter = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}]`
  return `(?<!${letter})(?:${pattern})(?!${letter})`
}

/** A setting is the same list until it changes, so its pattern is built once. */
const patterns = new WeakMap<readonly string[], { readonly pattern: RegExp | undefined }>()

export function foundCompetitors(text: string, words: readonly string[]): Span[] {
  let built = patterns.get(words)
  if (!built) patterns.set(words, (built = { pattern: findPattern(words) }))
  return built.pattern ? found(text, built.pattern) : []
}

const HANDLES = /(?<![\p{L}\p{N}])@\s?[\p{L}\p{N}_.]{3,32}/gu

/** In a text with such a word a name is the contact itself: "telegram: @anna". */
export function foundHandles(text: string): Span[] {
  return text.includes('@') ? found(text, HANDLES) : []
}

import confusables from 'unhomoglyph/data.json' with { type: 'json' }
import { createFolding, FormBuilder, type Skeleton } from './folding.ts'
import { found, inOriginal, type Span } from './spans.ts'
import { getPart, WindowsBuilder } from './windows.ts'

/** Joiners, fillers, direction marks, variation selectors, accents, enclosing keycaps, the Arabic tatweel. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Mn}\p{Me}\u0640]/u
const DIGIT = /\p{Nd}/u
const MARK = /\p{Mn}/gu
/** In these scripts a mark is an accent. In Hangul and kana it makes another letter. */
const HAS_ACCENTS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}]/u

/** Letters that Unicode does not decompose and people write for one another. */
const plainForms = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ı: 'i',
    ى: 'ي',
    ی: 'ي',
    ې: 'ي',
    ة: 'ه',
    ک: 'ك',
    '٬': ',',
    '٫': '.',
    '،': ',',
    '、': ',',
    '。': '.',
    '․': '.',
    '·': '.',
    '•': '.',
    '∙': '.',
    '‧': '.',
    '・': '.',
    '●': '.',
    '∕': '/',
    '⁄': '/',
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    ー: '-',
    '🔟': '10',
  }),
)

/**
 * Circled digits and letters without a compatibility form: first code point, last code point, the character
 * of the first.
 */
const BLOCKS: readonly (readonly [first: number, last: number, character: string])[] = [
  [0x24f5, 0x24fd, '1'],
  [0x24ff, 0x24ff, '0'],
  [0x2776, 0x277e, '1'],
  [0x2780, 0x2788, '1'],
  [0x278a, 0x2792, '1'],
  [0x1f10b, 0x1f10c, '0'],
  [0x1f150, 0x1f169, 'a'],
  [0x1f170, 0x1f189, 'a'],
]
const REGIONAL_A = 0x1f1e6

/** Cyrillic and Greek letters that look Latin in one of their cases, beyond the list of Unicode. */
const lookAlikes = new Map(
  Object.entries({ а: 'a', в: 'b', с: 'c', е: 'e', і: 'i', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p' })
    .concat(Object.entries({ т: 't', у: 'y', х: 'x', α: 'a', β: 'b', ε: 'e', ι: 'i', κ: 'k' }))
    .concat(Object.entries({ ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', η: 'n', μ: 'm' })),
)

/** Compatibility forms (NFKC) without accents; katakana as hiragana. */
function foldPlain(point: string): string {
  if (point >= ' ' && point <= '~') return point.toLowerCase()
  if (INVISIBLE.test(point)) return ''
  if (DIGIT.test(point)) return String(digitValue(point))
  return inBlock(point) ?? [...point.normalize('NFKC').toLowerCase()].map(plainForm).join('')
}

function plainForm(point: string): string {
  const known = plainForms.get(point)
  if (known !== undefined) return known
  if (INVISIBLE.test(point)) return ''
  if (DIGIT.test(point)) return String(digitValue(point))
  if (point >= 'ァ' && point <= 'ヶ') return String.fromCodePoint(point.codePointAt(0)! - 0x60)
  if (!HAS_ACCENTS.test(point)) return point
  const bare = point.normalize('NFD').replace(MARK, '')
  return plainForms.get(bare) ?? bare
}

function inBlock(point: string): string | undefined {
  const code = point.codePointAt(0)!
  const block = BLOCKS.find(([first, last]) => code >= first && code <= last)
  return block && String.fromCodePoint(block[2].codePointAt(0)! + code - block[0])
}

/** Unicode's look-alikes (TR39) of the compatibility form. */
function foldLookAlike(point: string): string {
  return [...foldPlain(point)].map((one) => lookAlikes.get(one) ?? getLatin(one)).join('')
}

/** TR39 before the compatibility form: the two disagree, as on the long s. */
function foldLookAlikeFirst(point: string): string {
  const latin = getLatin(point)
  return latin === point ? foldLookAlike(point) : latin
}

function getLatin(point: string): string {
  const code = point.codePointAt(0)!
  if (code < 0x80 || DIGIT.test(point)) return point
  if (code >= REGIONAL_A && code < REGIONAL_A + 26)
    return String.fromCodePoint(97 + code - REGIONAL_A)
  const bare = point.normalize('NFD').replace(MARK, '')
  const latin = (confusables as Record<string, string>)[bare]
  return latin !== undefined && /^[\x21-\x7e]+$/.test(latin) ? latin.toLowerCase() : point
}

/** Every script's digits stand in blocks of ten that begin with its zero. */
function digitValue(point: string): number {
  const code = point.codePointAt(0)!
  // Five blocks of mathematical digits touch each other.
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10
  let zero = code
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1
  return code - zero
}

export const plainSkeleton = createFolding(foldPlain)
const lookAlikeForms = [createFolding(foldLookAlike), createFolding(foldLookAlikeFirst)]

const ASCII_ONLY = /^[\t-~]*$/

/** The forms with Latin letters for letters that look Latin, where they differ from the plain form. */
export function lookAlikeSkeletons(original: string, plain: Skeleton): Skeleton[] {
  const texts = new Set([plain.text])
  return lookAlikeForms.flatMap((formOf) => {
    const skeleton = formOf(original)
    if (texts.has(skeleton.text)) return []
    texts.add(skeleton.text)
    return [skeleton]
  })
}

const SAME = 1
const LOOK_ALIKE = 2
const kindsOfPoints = new Uint8Array(0x11_0000)

function isLookAlike(code: number): boolean {
  if (kindsOfPoints[code] === 0) kindsOfPoints[code] = hasLatinForm(code) ? LOOK_ALIKE : SAME
  return kindsOfPoints[code] === LOOK_ALIKE
}

function hasLatinForm(code: number): boolean {
  const point = String.fromCodePoint(code)
  const plain = foldPlain(point)
  return foldLookAlike(point) !== plain || foldLookAlikeFirst(point) !== plain
}

/** A form of a part of a text, and what of the original a contact in it must touch. */
export interface FormPart {
  readonly form: Skeleton
  readonly near: Span
}

/**
 * The parts of the forms with Latin letters that differ from the plain form: in most scripts few letters
 * look Latin.
 */
export function lookAlikeParts(original: string, plain: Skeleton): FormPart[] {
  if (ASCII_ONLY.test(original)) return []
  const windows = new WindowsBuilder()
  for (let at = 0; at < plain.text.length; at += 1)
    if (isLookAlike(original.codePointAt(plain.from[at]!)!)) windows.add(at, at + 1)
  return windows.build(plain.text).flatMap((window) => {
    const part = getPart(plain, window.searched)
    const [begin, end] = [part.from[0]!, part.from.at(-1)!]
    const [near] = inOriginal(plain, [window.near])
    return lookAlikeSkeletons(original.slice(begin, end), part).map(({ text, from }) => ({
      form: { text, from: begin === 0 ? from : from.map((place) => place + begin) },
      near: near!,
    }))
  })
}

/**
 * Single letters with separators between: "d u e t . c o m". A separator is searched first, because most
 * letters have no separator.
 */
const SPACED_LETTERS =
  /(?=[^][ _*|/~-])(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{N}])[\p{L}\p{N}@.](?:[ _*|/~-]{1,3}[\p{L}\p{N}@.](?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{N}])){3,80}/gu
const LETTER_SEPARATORS = ' _*|/~-'

/** The parts with single letters, without the separators between them. */
export function squeezedParts(plain: Skeleton): FormPart[] {
  const windows = new WindowsBuilder()
  const matches = found(plain.text, SPACED_LETTERS)
  for (const [start, end] of matches) windows.add(start, end)
  return windows.build(plain.text).map(({ searched, near }) => ({
    form: squeezed(getPart(plain, searched), searched[0], matches),
    near: inOriginal(plain, [near])[0]!,
  }))
}

/** The part that begins at a place, of which the separators within the matches are left out. */
function squeezed({ text, from }: Skeleton, begin: number, matches: readonly Span[]): Skeleton {
  const form = new FormBuilder(from.at(-1)!)
  let at = 0
  const keep = (until: number, isSqueezed: boolean) => {
    for (; at < until; at += 1)
      if (!isSqueezed || !LETTER_SEPARATORS.includes(text[at]!))
        form.add(text.charCodeAt(at), from[at]!)
  }
  for (const [start, end] of matches) {
    if (start < begin) continue
    if (end > begin + text.length) break
    keep(start - begin, false)
    keep(end - begin, true)
  }
  keep(text.length, false)
  return form.build()
}

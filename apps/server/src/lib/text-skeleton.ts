/**
 * Text in the form in which contact details are searched: compatibility forms folded, look-alikes turned into Latin
 * letters, invisible characters removed, every script's digits as 0-9. Each character refers to its place in the original.
 */
export interface Skeleton {
  readonly text: string
  /** For each UTF-16 unit of `text`: where its original begins. One more at the end: where the original ends. */
  readonly from: readonly number[]
}

/** Joiners, fillers, direction marks, variation selectors, soft hyphens, combining enclosures: all invisible. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|\u20E3/u
const DIGIT = /\p{Nd}/u
const MARK = /\p{Mn}/gu

/** Cyrillic and Greek letters that look Latin (TR39, the part that words of our alphabet need). */
const lookAlikes = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    ё: 'e',
    ѕ: 's',
    һ: 'h',
    і: 'i',
    ї: 'i',
    ј: 'j',
    к: 'k',
    ԛ: 'q',
    м: 'm',
    н: 'h',
    о: 'o',
    р: 'p',
    т: 't',
    у: 'y',
    ѵ: 'v',
    ԝ: 'w',
    х: 'x',
    α: 'a',
    β: 'b',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    ı: 'i',
    ł: 'l',
    ø: 'o',
    '。': '.',
    '．': '.',
    '․': '.',
    '·': '.',
    '•': '.',
    '∙': '.',
    '‧': '.',
    '＠': '@',
    '∕': '/',
    '⁄': '/',
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '–': '-',
    '—': '-',
    '−': '-',
  }),
)

export function skeletonOf(original: string): Skeleton {
  const pieces: string[] = []
  const from: number[] = []
  let at = 0
  for (const point of original) {
    const folded = fold(point)
    pieces.push(folded)
    for (let i = 0; i < folded.length; i += 1) from.push(at)
    at += point.length
  }
  from.push(at)
  return { text: pieces.join(''), from }
}

function fold(point: string): string {
  if (point >= ' ' && point <= '~') return point.toLowerCase()
  if (INVISIBLE.test(point)) return ''
  if (DIGIT.test(point)) return String(digitValue(point))
  const plain = point.normalize('NFKD').replace(MARK, '').toLowerCase()
  return [...plain]
    .map((one) => lookAlikes.get(one) ?? (DIGIT.test(one) ? String(digitValue(one)) : one))
    .join('')
}

/** Every script's digits stand in blocks of ten that begin with its zero. */
function digitValue(point: string): number {
  let zero = point.codePointAt(0)!
  for (let value = 0; value < 10; value += 1) {
    if (!DIGIT.test(String.fromCodePoint(zero - 1))) return value
    zero -= 1
  }
  // Blocks that touch (mathematical digits begin at U+1D7CE): counted from there.
  return (point.codePointAt(0)! - 0x1d7ce) % 10
}

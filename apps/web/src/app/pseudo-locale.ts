import type { Texts } from '../shared/i18n.ts'

const EXTRA_LENGTH = 0.4
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  n: 'ñ',
  A: 'Á',
  E: 'É',
  O: 'Ó',
}

/**
 * For development only: every text is 40 % longer and accented. Overflowing texts and texts outside of the locale files
 * become visible.
 */
export function lengthened(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([id, message]) => [id, stretched(message, true)]),
  )
}

/** A message is a sentence, or a list of words and placeholders whose last part may hold choices. */
function stretched(message: unknown, outermost: boolean): unknown {
  if (typeof message === 'string')
    return outermost ? `${accented(message)}${tail(message)}` : accented(message)
  if (!Array.isArray(message)) return message
  const parts = message.map((part: unknown) =>
    Array.isArray(part) ? choices(part) : stretched(part, false),
  )
  const words = message.filter((part) => typeof part === 'string').join('')
  return outermost ? [...parts, tail(words)] : parts
}

function choices(part: unknown[]): unknown[] {
  const [name, kind, format] = part
  if (typeof format !== 'object' || format === null) return part
  const changed = Object.entries(format).map(([key, value]) => [
    key,
    key === 'offset' ? value : stretched(value, true),
  ])
  return [name, kind, Object.fromEntries(changed)]
}

/** Accents the words. Marks such as `<terms>` stay unchanged. */
function accented(words: string): string {
  return words.replace(/<\/?\w+>|[aeiounAEO]/g, (found) => ACCENTED[found] ?? found)
}

function tail(words: string): string {
  const wanted = Math.ceil(words.length * EXTRA_LENGTH)
  return wanted === 0
    ? ''
    : ` ${'lorem ipsum dolor '
        .repeat(Math.ceil(wanted / 18))
        .slice(0, wanted)
        .trim()}`
}

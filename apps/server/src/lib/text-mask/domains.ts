import { POINTERS } from './address-words.ts'
import {
  DOT,
  DOT_FORMS,
  type DotForm,
  LABEL_CHARACTER,
  LABEL_MAX,
  NAME_MAX,
  PATH,
  SPACED_PATH,
  toStart,
  TOP_LEVEL,
  wordAt,
} from './address-forms.ts'
import { findMatches, type Span } from './spans.ts'
import { type DomainKind, findDomainKind } from './top-level-domains.ts'

export function foundDomains(text: string, isStrict: boolean): Span[] {
  const spans: Span[] = []
  for (const dot of findMatches(text, DOT)) {
    const form = (Object.keys(DOT_FORMS) as DotForm[]).find(
      (name) => dot.groups![name] !== undefined,
    )!
    const end = dot.index + dot[0].length
    const name = wordAt(text, end, TOP_LEVEL)
    const kind = name && findDomainKind(name)
    if (!name || !kind) continue
    const start = toStart(text, dot.index, LABEL_CHARACTER, LABEL_MAX)
    const label = text.slice(start, dot.index)
    const after = end + name.length
    const place = { text, start, dot: dot.index, form, label, name, kind, after }
    if (!isDomain(place, isStrict)) continue
    const path =
      wordAt(text, after, PATH) ?? (form === 'plain' ? undefined : wordAt(text, after, SPACED_PATH))
    spans.push([domainStart(text, start), after + (path?.length ?? 0)])
  }
  return spans
}

interface DomainPlace {
  readonly text: string
  readonly start: number
  readonly dot: number
  readonly form: DotForm
  readonly label: string
  readonly name: string
  readonly kind: DomainKind
  readonly after: number
}

/** By how the dot is written. */
const ACCEPTS: Readonly<Record<DotForm, (place: DomainPlace) => boolean>> = {
  word: (place) => place.kind !== 'word' || isEnd(place),
  bracketed: ({ kind, name }) => kind !== 'word' || /^[a-z]+$/.test(name),
  spaced: (place) => place.kind === 'unmistakable' && isSpacedDomain(place),
  // "bem,com" is Portuguese.
  comma: (place) =>
    place.kind === 'unmistakable' &&
    /^[a-z]/.test(place.label) &&
    place.name !== 'info' &&
    (place.name !== 'com' || /^(?:\s*$|[,;)!])/.test(place.text.slice(place.after))),
  plain: (place) => ACCEPTS_PLAIN[place.kind](place),
}

const ACCEPTS_PLAIN: Readonly<Record<DomainKind, (place: DomainPlace) => boolean>> = {
  unmistakable: ({ label }) => label.length > 1 || /[a-z]/.test(label),
  name: ({ label }) => label.length > 1,
  word: isWordDomain,
  spoken: () => false,
}

function isDomain(place: DomainPlace, isStrict: boolean): boolean {
  const { kind, form, label } = place
  if (label === '' || goesOn(place)) return false
  if (/^\d+$/.test(label) && (kind !== 'unmistakable' || form !== 'plain')) return false
  if (isStrict && kind !== 'unmistakable')
    return kind === 'name' && form === 'plain' && label.length > 1 && hasLatin(place)
  return ACCEPTS[form](place)
}

/** A Korean particle stands directly behind a name: it is no part of the domain, a Latin letter would be. */
function goesOn({ text, name, after }: DomainPlace): boolean {
  const next = text[after] ?? ' '
  return /^[a-z]/.test(name) ? SPACED_SCRIPT.test(next) : LABEL_CHARACTER.test(next)
}
const SPACED_SCRIPT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}0-9_-]/u

function hasLatin({ label, name }: DomainPlace): boolean {
  return /^[a-z0-9_-]+$/.test(label) && /^[a-z]+$/.test(name)
}

/** "well. com" is a domain when nothing follows: with more words it is two sentences, as in Portuguese. */
function isSpacedDomain(place: DomainPlace): boolean {
  const { text, dot, after, name } = place
  if (name === 'info' || text.slice(dot, after).includes(',')) return false
  return /\s/.test(text[dot]!) || isEnd(place)
}

function isEnd({ text, after }: DomainPlace): boolean {
  return /^(?:\s*$|\/|[,;)!\n]|\s*[\p{So}*])/u.test(text.slice(after, after + 12))
}

function isPath(text: string, at: number): boolean {
  return text[at] === '/' && LABEL_CHARACTER.test(text[at + 1] ?? ' ')
}

/** "fine.me too" is two sentences, "anna-k.me" and "see anna.me" are addresses. */
function isWordDomain(place: DomainPlace): boolean {
  const { text, start, label, name, after } = place
  if (isPath(text, after)) return true
  if (label.length < 2 || !/^[a-z]+$/.test(name)) return false
  if (/[0-9_]|[^-]-[^-]/.test(label)) return true
  if (text[start - 1] === '.' && LABEL_CHARACTER.test(text[start - 2] ?? ' ')) return true
  if (POINTERS.test(text.slice(Math.max(0, start - 24), start))) return true
  return (
    label.length > 3 && name.length === 2 && /^\s*(?:$|[)\n,])/.test(text.slice(after, after + 4))
  )
}

/** Names before the label belong to the domain: "mail.example.com". */
function domainStart(text: string, label: number): number {
  let at = label
  while (at > 1 && label - at < NAME_MAX && text[at - 1] === '.') {
    const before = toStart(text, at - 1, LABEL_CHARACTER, LABEL_MAX)
    if (before === at - 1) break
    at = before
  }
  return at
}

import { AT, DOT, LOCAL_CHARACTER, NAME_MAX, toStart, wordAt } from './address-forms.ts'
import { AT_WORDS, DOT_WORDS, PROVIDERS } from './address-words.ts'
import { foundDomains } from './domains.ts'
import { found, findMatches, type Span } from './spans.ts'
import { findDomainKind } from './top-level-domains.ts'
import { touching, WindowsBuilder } from './windows.ts'

/** How strictly addresses are read: other forms of a text than the plain one give more of them by chance. */
export interface AddressOptions {
  /** Only addresses whose top-level domain is no word. */
  readonly isStrict: boolean
}

const LINKS =
  /(?<![\p{L}\p{N}])(?:h[tx]{2}ps?|ftp|tg|skype|viber|whatsapp|weixin|line|mailto|tel)\s{0,2}:\s{0,2}\/{0,2}\s{0,2}[^\s/]{3,500}[^\s]{0,500}|(?<![\p{L}\p{N}])https?\s{0,2}:?\s{0,2}\/{1,2}\s{0,2}[^\s]{2,500}|(?<![\p{L}\p{N}])www\s?[.,]\s?[a-z0-9-]{2,63}[.,]?[a-z]{2}[^\s]{0,500}/gu

/** A mailbox at a known provider without the dot: "anna@gmail", "anna gmail com". */
const PROVIDER_HERE = new RegExp(String.raw`(?:${PROVIDERS})(?![\p{L}\p{N}])`, 'uy')
const PROVIDER_COM = new RegExp(
  String.raw`(?:${PROVIDERS})[\s,_-]{0,2}(?:dot[\s_-]?)?(?:com|ru|c0m|ком|ру|net|de|fr|it|co|jp|es)(?![\p{L}\p{N}])`,
  'gu',
)

export function foundAddresses(text: string, { isStrict }: AddressOptions): Span[] {
  return [
    ...foundLinks(text),
    ...foundProviders(text),
    ...found(text, SPELLED_PATH),
    ...foundDomains(text, isStrict),
    ...foundEmails(text, isStrict),
  ]
}

/** A scheme, or www, with what follows. */
function foundLinks(text: string): Span[] {
  return text.includes(':') || text.includes('www') || text.includes('http')
    ? found(text, LINKS)
    : []
}

function foundProviders(text: string): Span[] {
  return found(text, PROVIDER_COM).map(([start, end]) => [
    toStart(text, start, LOCAL_CHARACTER, NAME_MAX),
    end,
  ])
}

/** A path whose slash is a word: "vk com slash id1234". */
const SPELLED_PATH =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}-]{2,30}(?:\s(?:dot|точка|punkt|point|punto|ponto))?[\s.](?:com|ком|ru|ру|me|net|org)\s(?:slash|слеш|слэш|schragstrich|barra)\s[\p{L}\p{N}_.]{3,64}/gu

/** Words before a mailbox that belong to its name: "anna dot" of "anna dot berg@", "anna.berg at" of "anna.berg at gm@il". */
const NAME_BEFORE = new RegExp(
  String.raw`(?:[\p{L}\p{N}._%+-]{1,64}\s{1,2}(?:${DOT_WORDS})|[\p{L}\p{N}_%+-]{0,32}[._\d][\p{L}\p{N}._%+-]{0,32}\s{1,2}(?:${AT_WORDS}))\s{1,2}$`,
  'u',
)

function mailboxStart(text: string, start: number): number {
  const before = NAME_BEFORE.exec(text.slice(Math.max(0, start - NAME_MAX), start))
  return before ? start - before[0].length : start
}

/** Single letters with dots between them: "f.r.e.e . f.r". */
const DOTTED_HOST = /[\p{L}\p{N}](?:\s?\.\s?[\p{L}\p{N}](?![\p{L}\p{N}])){3,40}/uy

function foundEmails(text: string, isStrict: boolean): Span[] {
  const spans: Span[] = []
  for (const at of findMatches(text, AT)) {
    const start = toStart(text, at.index, LOCAL_CHARACTER, NAME_MAX)
    if (start === at.index) continue
    const begin = at.index + at[0].length
    const isWord = !at[0].includes('@') && /^\s[^([{<]+\s$/.test(at[0])
    const end =
      endOfHost(text, begin, isWord) ??
      (isWord && !(isStrict && /\d/.test(text.slice(start, at.index)))
        ? undefined
        : endOfProvider(text, begin)) ??
      (isWord ? undefined : endOfDottedHost(text, begin))
    if (end !== undefined) spans.push([mailboxStart(text, start), end])
  }
  return spans
}

/** Where the host of a mailbox ends. Behind a word for the sign, two sentences are no host: "at home. Net income". */
function endOfHost(text: string, begin: number, isWord: boolean): number | undefined {
  const host = text.slice(begin, begin + NAME_MAX)
  let end: number | undefined
  let at = /^[\p{L}\p{N}_-]{1,63}/u.exec(host)?.[0].length
  for (let labels = 0; at !== undefined && labels < 4; labels += 1) {
    DOT_HERE.lastIndex = at
    const dot = DOT_HERE.exec(host)?.[0]
    const name = dot && wordAt(host, at + dot.length, NAME_HERE)
    if (!dot || !name) return end
    at += dot.length + name.length
    if (isHostEnd(dot, name, isWord)) end = begin + at
  }
  return end
}
const DOT_HERE = new RegExp(DOT.source, 'uy')
const NAME_HERE = /[a-z0-9_-]{1,63}|[\p{L}\p{N}_-]{1,63}/uy

function isHostEnd(dot: string, name: string, isWord: boolean): boolean {
  const isSpelled = /[\p{L}([{<]/u.test(dot)
  if (!isWord && dot === '.' && /\p{L}{2}/u.test(name)) return true
  const kind = findDomainKind(name)
  if (kind === undefined) return false
  if (isSpelled) return true
  return kind !== 'word' && kind !== 'spoken' && (!isWord || dot === '.')
}

function endOfDottedHost(text: string, begin: number): number | undefined {
  const host = wordAt(text, begin, DOTTED_HOST)
  return host === undefined ? undefined : begin + host.length
}

function endOfProvider(text: string, begin: number): number | undefined {
  const provider = wordAt(text, begin, PROVIDER_HERE)
  return provider === undefined ? undefined : begin + provider.length
}

/** Domains and mailboxes from right to left: only those that no text contains by chance. */
export function foundReversed(text: string): Span[] {
  const windows = new WindowsBuilder()
  for (const [start, end] of found(text, REVERSED_END)) windows.add(start, end)
  return windows.build(text).flatMap(({ searched: [begin, end], near }) => {
    const part = text.slice(begin, end)
    const reversed = [...part].toReversed().join('')
    const spans = found(reversed, REVERSED).map(([first, last]): Span => [end - last, end - first])
    return touching(spans, near)
  })
}
const REVERSED_END = /(?:moc|ur|gro|ten|ed|rf|ti|se|pj|rk|nc)\s?[.@]/g
const REVERSED = new RegExp(
  String.raw`[\p{L}\p{N}._%+-]{1,64}@[a-z0-9-]{2,63}(?:\.co|\.com|\.ne)?\.(?:com|ru|org|net|de|fr|it|es|jp|kr|cn)(?![a-z0-9])|[a-z0-9_-]{2,63}\.(?:com|org)(?![a-z0-9])(?:/\S{0,100})?|(?:${PROVIDERS}|vk|ok)\.ru(?![a-z0-9])`,
  'gu',
)

/** An address or number that was encoded; it is decoded once. */
const BASE64 = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{10,400}={0,2}(?![A-Za-z0-9+/_=-])/g

export function foundEncoded(original: string, isContact: (text: string) => boolean): Span[] {
  return found(original, BASE64).filter(([start, end]) => {
    const code = original.slice(start, end)
    // An ordinary word has no capital letters or digits inside.
    if (!/[a-z]/.test(code) || !/[A-Z]/.test(code.slice(1)) || !/[0-9=A-Z]/.test(code.slice(2)))
      return false
    const decoded = Buffer.from(code, 'base64').toString('latin1')
    return /^[\x20-\x7e]{6,}$/.test(decoded) && isContact(decoded)
  })
}

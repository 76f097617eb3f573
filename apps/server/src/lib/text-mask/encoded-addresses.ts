import { PROVIDERS } from './address-words.ts'
import { found, type Span } from './spans.ts'
import { touching, WindowsBuilder } from './windows.ts'

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

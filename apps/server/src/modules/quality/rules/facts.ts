/** A page says about its own device whatever it likes: everything is cut here before it is stored. */

/** Keys whose values are addresses, or show them. */
const ADDRESS_KEYS = new Set(
  [
    'address',
    'ip',
    'port',
    'relatedAddress',
    'relatedPort',
    'candidate',
    'usernameFragment',
    'url',
    'sdp',
    'localDescription',
    'remoteDescription',
    'iceServers',
    'credential',
    'username',
  ].map((key) => key.toLowerCase()),
)
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const IPV6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi
/** Also marks of the direction of writing, which would turn a terminal's line around. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const DEPTH_MAX = 6
const ITEMS_MAX = 64
const KEYS_MAX = 120
const TEXT_CHARACTERS_MAX = 300

/** A text of a page: no address, no control character, and not long. */
export function cutText(text: string, charactersMax = TEXT_CHARACTERS_MAX): string {
  return text
    .slice(0, charactersMax)
    .toWellFormed()
    .replace(CONTROLS, ' ')
    .replace(IPV4, '(address)')
    .replace(IPV6, '(address)')
}

/** A value of a page in a bounded form, without addresses. A value above `bytesMax` is left out. */
export function cutFacts(value: unknown, bytesMax: number): unknown {
  const cut = cutValue(value, 1) ?? null
  return Buffer.byteLength(JSON.stringify(cut)) <= bytesMax ? cut : { left_out: true }
}

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cutText(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object' || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((one) => cutValue(one, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ADDRESS_KEYS.has(key.toLowerCase()))
      .slice(0, KEYS_MAX)
      .map(([key, part]) => [cutText(key), cutValue(part, depth + 1)]),
  )
}

const DAY_MS = 86_400_000

/** The age of a report, in ms. An age that no page can mean is 0. */
export function readAge(delta: unknown): number {
  return typeof delta === 'number' && delta > 0 && delta <= DAY_MS ? Math.round(delta) : 0
}

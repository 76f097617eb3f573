const MASK = '***'
const SECRET = String.raw`[^&=\s"]*(?:sig(?!ht)|hmac|digest|hash|token|secret|password|authorization|cookie|cvv|cvc|api.?key)[^&=\s"]*`
const FIELD = new RegExp(`((?:^|[&?\\s])${SECRET}=)[^&\\s]*`, 'gi')
const JSON_FIELD = new RegExp(
  `("${SECRET}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"?|[^\\s,"}\\]]+)`,
  'gi',
)
/** A signature is long, under any name that a form gives it: hexadecimal digits, or the letters of base64. */
const DIGEST =
  /\b[0-9a-f]{32,}\b|[A-Za-z0-9+/]{40,}={0,2}|(?:[A-Za-z0-9+/]|%2[BF]){40,}(?:%3D){0,2}/gi

/** A part of a callback as text, without what could be sent again in the name of the provider or pays: signatures, tokens, passwords. */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(FIELD, `$1${MASK}`)
    .replaceAll(JSON_FIELD, `$1"${MASK}"`)
    .replaceAll(DIGEST, MASK)
}

const MASK = '***'
const SECRET =
  /sig(?!ht)|hmac|digest|hash|token|secret|password|authorization|cookie|cvv|cvc|api.?key/i
/**
 * A callback of a stranger may be long and made to be slow. Each pattern begins where the former match ended, and a test
 * of the name follows, so the time grows as the text does.
 */
const PARTS = /[^&?\s]+/g
const JSON_FIELD = /"([^"\\]{1,100})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,"}\]]+)/g
/** A signature is long, under any name that a form gives it: hexadecimal digits, or the letters of base64. */
const DIGEST =
  /\b[0-9a-f]{32,}\b|[A-Za-z0-9+/]{40,}={0,2}|(?:[A-Za-z0-9+/]|%2[BF]){40,}(?:%3D){0,2}/gi

/** A part of a callback as text, without what could be sent again in the name of the provider or pays: signatures, tokens, passwords. */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(PARTS, maskPart)
    .replaceAll(JSON_FIELD, (field, name: string, colon: string) =>
      SECRET.test(name) ? `"${name}"${colon}"${MASK}"` : field,
    )
    .replaceAll(DIGEST, MASK)
}

/** A part of a query or of a form, as `name=value`. */
function maskPart(part: string): string {
  const name = part.slice(0, Math.max(0, part.indexOf('=')))
  return !name.includes('"') && SECRET.test(name) ? `${name}=${MASK}` : part
}

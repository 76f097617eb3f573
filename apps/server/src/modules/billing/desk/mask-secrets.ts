const MASK = '***'
const SECRET =
  /sig(?!ht)|hmac|digest|hash|token|secret|pass(?!enger)|pwd|authorization|cookie|cvv|cvc|iban|api.?key|^key$|^pin$|^pan$|^card$|card.?(?:no$|num)/i
/**
 * A callback of a stranger may be long and made to be slow. Each pattern begins where the former match ended, and a test
 * of the name follows, so the time grows as the text does.
 */
const PARTS = /[^&?\s]+/g
const JSON_FIELD = /"([^"\\]{1,100})"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,"}\]{[]+)/g
/** JSON within a text of JSON. */
const NESTED_FIELD = /\\"([^"\\]{1,100})\\"(\s*:\s*)(?:\\"[^"\\]*(?:\\")?|[^\s,"}\]{[\\]+)/g
const XML_FIELD = /<([\w:.-]{1,100})>[^<]*/g
/** A line like `signature: abc`. */
const LINE = /^([\w.-]{1,100})(:[ \t]*)[^\r\n]+/gm
/** A signature is long, under any name that a form gives it: hexadecimal digits, or the letters of base64. */
const DIGEST =
  /\b[0-9a-f]{32,}\b|[A-Za-z0-9+/]{40,}={0,2}|(?:[A-Za-z0-9+/]|%2[BF]){40,}(?:%3D){0,2}/gi
const CARD_NUMBER = /\b\d{13,19}\b/g

/**
 * A part of a callback as text, without what could be sent again in the name of the provider or pays: signatures, tokens,
 * passwords, numbers of cards.
 */
export function maskSecrets(text: string): string {
  return text
    .replaceAll(PARTS, maskPart)
    .replaceAll(JSON_FIELD, (field, name: string, colon: string) =>
      SECRET.test(name) ? `"${name}"${colon}"${MASK}"` : field,
    )
    .replaceAll(NESTED_FIELD, (field, name: string, colon: string) =>
      SECRET.test(name) ? String.raw`\"${name}\"${colon}\"${MASK}\"` : field,
    )
    .replaceAll(XML_FIELD, (field, name: string) =>
      SECRET.test(name) ? `<${name}>${MASK}` : field,
    )
    .replaceAll(LINE, (line, name: string, colon: string) =>
      SECRET.test(name) ? `${name}${colon}${MASK}` : line,
    )
    .replaceAll(DIGEST, MASK)
    .replaceAll(CARD_NUMBER, (digits) => (isCardNumber(digits) ? MASK : digits))
}

/** A part of a query or of a form, as `name=value`. */
function maskPart(part: string): string {
  const name = part.slice(0, Math.max(0, part.indexOf('=')))
  return !name.includes('"') && SECRET.test(decoded(name)) ? `${name}=${MASK}` : part
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The check digit of ISO/IEC 7812. */
function isCardNumber(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((all, digit, at) => all + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0)
  return sum % 10 === 0
}

/**
 * Control characters, line breaks, invisible characters, and characters that change the direction of text.
 * A name with such a character can forge a subject, a header, or the text that follows the name.
 */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- the pattern names the characters that it removes
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A user's value for one line of a mail, a push message or a log: printable and cut to a length. */
export function plainLine(value: string, charactersMax: number): string {
  const line = value.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= charactersMax
    ? line
    : `${characters.slice(0, charactersMax - 1).join('')}…`
}

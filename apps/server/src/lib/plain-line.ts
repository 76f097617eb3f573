/**
 * Line breaks and other control characters, and characters that turn the direction of the text around them or are invisible:
 * a name with one of them can rewrite a subject, a header, or what a reader takes the next words for.
 */
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex -- the pattern names the characters that it removes
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A value of a user as it may stand in a line of a mail, a push message or a log: printable, on one line, not too long. */
export function plainLine(value: string, charactersMax: number): string {
  const line = value.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= charactersMax
    ? line
    : `${characters.slice(0, charactersMax - 1).join('')}…`
}

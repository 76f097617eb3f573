/** Control characters except the line feed. */
const CONTROLS = /[\p{Cc}--\n]/gv
/** Embeddings, overrides and isolates would turn the text around a message; the marks that Arabic needs stay. */
const DIRECTIONS = /[\u202A-\u202E\u2066-\u2069]/gu
const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/gu
/** Spaces, and what is invisible: a text of these alone is empty. */
const UNSEEN = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\p{M}\u2800]/gu

/** A text of a user as it is stored: composed, without control and direction characters; undefined when nothing can be seen of it. */
export function userText(written: string): string | undefined {
  const text = written
    .toWellFormed()
    .normalize('NFC')
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', ' ')
    .replace(CONTROLS, '')
    .replace(DIRECTIONS, '')
    .trim()
  return text.replace(UNSEEN, '') === '' ? undefined : text
}

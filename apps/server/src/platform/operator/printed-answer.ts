/** Control characters and characters that are invisible or turn the direction; line feeds separate the lines of the JSON. */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n]/gv

/**
 * The answer of a command as JSON for a terminal. A user's text must not move the cursor, rename the window
 * or turn text around. Such characters are printed as escapes, which a JSON parser reads as the characters.
 */
export function printedAnswer(answer: unknown): string {
  return JSON.stringify(answer, null, 2).replaceAll(UNPRINTABLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

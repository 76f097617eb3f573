/** Control characters and characters that are invisible or turn the direction; line feeds separate the lines of the JSON. */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--\n]/gv

/**
 * The answer of a command as JSON for a terminal. Texts of users cannot move its cursor, rename its window or turn the text
 * around them: such characters are printed as their escapes, which a program reads as the characters.
 */
export function printedAnswer(answer: unknown): string {
  return JSON.stringify(answer, null, 2).replaceAll(UNPRINTABLE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

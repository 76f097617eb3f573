/** A spreadsheet runs a field with one of these at its beginning as a formula, also behind spaces and characters without a width. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@|＝＋－＠﹦﹢﹣﹫−]|^\s*[\t\r]/u
/** A signed number is data, and no formula. */
const NUMBER = /^-?\d+(\.\d+)?$/
const SPECIAL = /[",;\r\n\t]|^\s|\s$/

/** The media type of `csvLine`. */
export const CSV_TYPE = 'text/csv; charset=utf-8; header=present'

/** A line of a CSV file as RFC 4180 describes it; a text that a spreadsheet would run is marked as text. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`
}

function csvField(value: string | number | null): string {
  const text = String(value ?? '')
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return safe !== text || SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

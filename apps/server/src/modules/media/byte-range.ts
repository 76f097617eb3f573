/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Memory of one answer to a range; a player asks for the rest by itself. */
const PART_BYTES_MAX = 1024 * 1024

/**
 * The part of a file that a header `Range` asks for. Undefined: the whole file, also where the header is none that is
 * understood, as HTTP demands. `unsatisfiable`: behind the end of the file.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const asked = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || asked < start) return 'unsatisfiable'
  return { start, end: Math.min(asked, start + PART_BYTES_MAX - 1) }
}

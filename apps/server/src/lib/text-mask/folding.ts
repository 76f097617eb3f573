/**
 * A text in the form in which contact details are searched: lower case, digits as 0-9, without accents and
 * invisible characters. Each character refers to its place in the original text.
 */
export interface Skeleton {
  readonly text: string
  /** For each UTF-16 unit of `text`: where its original begins. One more at the end: where the original ends. */
  readonly from: Uint32Array
}

/** The form of one character: nothing, one character or several. */
export type Fold = (point: string) => string

const UNITS = 0x1_0000
const SURROGATE_FIRST = 0xd800
const SURROGATE_LAST = 0xdfff
const CHARACTERS_MAX = 20_000

/** Each character is folded once. A table has those that become one unit, which are nearly all characters of a text. */
export function createFolding(fold: Fold): (original: string) => Skeleton {
  const units = new Uint16Array(UNITS)
  const others = new Map<number, string>()

  function foldOther(code: number): string {
    let piece = others.get(code)
    if (piece === undefined) {
      piece = fold(String.fromCodePoint(code))
      if (isAloneInTable(code) && piece.length === 1) units[code] = piece.charCodeAt(0)
      else {
        if (others.size >= CHARACTERS_MAX) others.clear()
        others.set(code, piece)
      }
    }
    return piece
  }

  return (original) => {
    const form = new FormBuilder(original.length)
    for (let at = 0; at < original.length; at += 1) {
      const code = original.charCodeAt(at)
      const unit = units[code]!
      if (unit > 0) {
        form.add(unit, at)
        continue
      }
      const point = original.codePointAt(at)!
      form.addAll(foldOther(point), at)
      if (point >= UNITS) at += 1
    }
    return form.build()
  }
}

/** Half of a surrogate pair is alone in one text and half of another character in the next. */
function isAloneInTable(code: number): boolean {
  return code < SURROGATE_FIRST || (code > SURROGATE_LAST && code < UNITS)
}

/** Builds a skeleton in memory that all of them share: a character costs two stores. */
export class FormBuilder {
  private static units = new Uint16Array(4096)
  private static places = new Uint32Array(4096)
  private length = 0
  private readonly end: number

  constructor(end: number) {
    this.end = end
    this.reserve(end + 1)
  }

  add(unit: number, place: number): void {
    if (this.length + 1 >= FormBuilder.units.length) this.reserve(1)
    FormBuilder.units[this.length] = unit
    FormBuilder.places[this.length] = place
    this.length += 1
  }

  addAll(piece: string, place: number): void {
    for (let i = 0; i < piece.length; i += 1) this.add(piece.charCodeAt(i), place)
  }

  build(): Skeleton {
    const { units, places } = FormBuilder
    places[this.length] = this.end
    return {
      text: Buffer.from(units.buffer, 0, this.length * 2).toString('utf16le'),
      from: places.slice(0, this.length + 1),
    }
  }

  private reserve(more: number): void {
    if (this.length + more < FormBuilder.units.length) return
    const size = 2 * (this.length + more)
    const [units, places] = [new Uint16Array(size), new Uint32Array(size)]
    units.set(FormBuilder.units.subarray(0, this.length))
    places.set(FormBuilder.places.subarray(0, this.length))
    FormBuilder.units = units
    FormBuilder.places = places
  }
}

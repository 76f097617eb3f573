import { setNewest } from '../../../lib/bounded-map.ts'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'
import { convert } from 'fontverter'
import subsetFont from 'subset-font'

/** The families that together write the languages of Duet, and most names of users. The first one with a letter writes it. */
const FAMILIES = [
  'noto-sans',
  'vazirmatn',
  'noto-sans-hebrew',
  'noto-sans-thai',
  'noto-sans-sc',
  'noto-sans-jp',
  'noto-sans-kr',
] as const
type Family = (typeof FAMILIES)[number]
/** The Chinese letters of these languages have forms of their own. */
const OWN_FAMILY: Readonly<Record<string, Family>> = { ja: 'noto-sans-jp', ko: 'noto-sans-kr' }

export type Weight = 400 | 700

interface FontSlice {
  readonly family: Family
  /** The file, which is unique among all families. */
  readonly file: string
  readonly ranges: readonly (readonly [first: number, last: number])[]
}

let slices: readonly FontSlice[] | undefined

/** The families are divided into files of some hundred letters. The lists say what may be in a file. */
function readSlices(): readonly FontSlice[] {
  return (slices ??= FAMILIES.flatMap((family) => {
    const lists = JSON.parse(readFileSync(locate(family, 'unicode.json'), 'utf8')) as object
    return Object.entries(lists).map(([name, list]: [string, string]) => ({
      family,
      file: `${family}-${name.replaceAll(/[[\]]/g, '')}-wght-normal.woff2`,
      ranges: list.split(',').map((range) => {
        const [first = 0, last = first] = range
          .slice('U+'.length)
          .split('-')
          .map((digits) => Number.parseInt(digits, 16))
        return [first, last] as const
      }),
    }))
  }))
}

function locate(family: Family, path: string): string {
  return fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/${path}`))
}

interface LoadedFont {
  readonly bytes: Buffer
  readonly letters: ReadonlySet<number>
}

/** The fonts of one document: it knows which font writes a letter, and makes the small part of each font to embed. */
export interface DocumentFonts {
  /** The name of the font with this letter; undefined: no font has it. */
  fontFor(letter: string): string | undefined
  /** The parts of the fonts with all letters that were asked for, in a weight. */
  embed(weight: Weight): Promise<readonly { readonly name: string; readonly bytes: Buffer }[]>
}

/** Loads the fonts that the letters of a document need. */
export async function loadFonts(locale: string, text: string): Promise<DocumentFonts> {
  const own = OWN_FAMILY[locale]
  const ordered = readSlices().toSorted((one, other) => rank(one, own) - rank(other, own))
  const loaded = new Map<string, LoadedFont>()
  const fonts = new Map<string, string>()
  for (const letter of new Set(text)) {
    const code = letter.codePointAt(0)!
    for (const { family, file, ranges } of ordered) {
      if (!ranges.some(([first, last]) => first <= code && code <= last)) continue
      const font = loaded.get(file) ?? (await unpacked(family, file))
      loaded.set(file, font)
      if (!font.letters.has(code)) continue
      fonts.set(letter, file)
      break
    }
  }
  return {
    fontFor: (letter) => fonts.get(letter),
    embed: (wght) =>
      Promise.all(
        [...Map.groupBy(fonts, ([, file]) => file)].map(async ([file, letters]) => ({
          name: file,
          bytes: await subsetFont(loaded.get(file)!.bytes, letters.map(([one]) => one).join(''), {
            targetFormat: 'truetype',
            variationAxes: { wght },
          }),
        })),
      ),
  }
}

/** Latin letters come from one family in all languages; after it the family of the language is asked. */
function rank({ family }: FontSlice, own: Family | undefined): number {
  return family === own ? 0.5 : FAMILIES.indexOf(family)
}

/** A language needs two or three files, and unpacking one takes as long as the rest of a receipt. */
const UNPACKED_MAX = 12
const kept = new Map<string, Promise<LoadedFont>>()

function unpacked(family: Family, file: string): Promise<LoadedFont> {
  const font = kept.get(file) ?? load(family, file)
  // A file that could not be read is read again.
  font.catch(() => kept.delete(file))
  setNewest(kept, file, font, UNPACKED_MAX)
  return font
}

async function load(family: Family, file: string): Promise<LoadedFont> {
  // Compiled code unpacks the file: it takes a fraction of the time that fontkit needs.
  const bytes = await convert(await readFile(locate(family, `files/${file}`)), 'sfnt')
  return { bytes, letters: new Set(create(bytes).characterSet) }
}

import sharp from 'sharp'
import './permitted-loaders.ts'
import type { RawPicture } from './images.ts'

/** Columns of 5 by 7 dots, the lowest bit on top: a server without fonts can draw them. */
const GLYPHS: Readonly<Record<string, string>> = {
  '0': '3e5149453e',
  '1': '00427f4000',
  '2': '4261514946',
  '3': '2141454b31',
  '4': '1814127f10',
  '5': '2745454539',
  '6': '3c4a494930',
  '7': '0171090503',
  '8': '3649494936',
  '9': '064949291e',
  A: '7e1111117e',
  B: '7f49494936',
  C: '3e41414122',
  D: '7f4141221c',
  E: '7f49494941',
  F: '7f09090901',
  G: '3e4149497a',
  H: '7f0808087f',
  I: '00417f4100',
  J: '2040413f01',
  K: '7f08142241',
  L: '7f40404040',
  M: '7f020c027f',
  N: '7f0408107f',
  O: '3e4141413e',
  P: '7f09090906',
  Q: '3e4151215e',
  R: '7f09192946',
  S: '4649494931',
  T: '01017f0101',
  U: '3f4040403f',
  V: '1f2040201f',
  W: '3f4038403f',
  X: '6314081463',
  Y: '0708700807',
  Z: '6151494543',
  '.': '0060600000',
  ':': '0036360000',
  '-': '0808080808',
  _: '4040404040',
  '@': '324979413e',
  ' ': '0000000000',
}
const UNKNOWN = '7f4141417f'
const GLYPH_COLUMNS = 6
const GLYPH_ROWS = 7
const LINE_ROWS = 10
const LINE_LETTERS_MIN = 8
/** Pixels of a dot, as a share of the width of the picture. */
const DOTS_ACROSS = 340
const GAP_DOTS = 26
const JPEG_QUALITY = 88
const OPAQUE = 255
const STRENGTH = 110

/** The picture as JPEG, with the text over all of it: a copy that is passed on names the person who made it. */
export async function watermark(picture: Uint8Array, text: string): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const tile = drawTile(text, { width, height })
  return sharp(picture)
    .composite([
      {
        input: tile.pixels,
        raw: { width: tile.width, height: tile.height, channels: 4 },
        tile: true,
        blend: 'over',
      },
    ])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer()
}

interface Tile {
  readonly width: number
  readonly height: number
  readonly pixels: Buffer
}

/** The text, light with a dark shadow, and the gap around it; in as many lines as the width of the picture needs. */
function drawTile(text: string, picture: Pick<Tile, 'width' | 'height'>): Tile {
  const dot = Math.max(1, Math.round(picture.width / DOTS_ACROSS))
  const columns = Math.floor((picture.width / dot - GAP_DOTS) / GLYPH_COLUMNS)
  const letters = wrap(text.toUpperCase(), Math.max(LINE_LETTERS_MIN, columns))
  const lineLetters = Math.max(...letters.map((line) => line.length))
  // A tile may not be larger than the picture.
  const width = Math.min(picture.width, (lineLetters * GLYPH_COLUMNS + GAP_DOTS) * dot)
  const height = Math.min(picture.height, (letters.length * LINE_ROWS + GAP_DOTS) * dot)
  const pixels = Buffer.alloc(width * height * 4)
  const paint = (x: number, y: number, shade: number) => {
    for (let row = y * dot; row < Math.min(height, (y + 1) * dot); row += 1)
      for (let column = x * dot; column < Math.min(width, (x + 1) * dot); column += 1)
        pixels.set([shade, shade, shade, STRENGTH], (row * width + column) * 4)
  }
  for (const [shade, shift] of [
    [0, 1],
    [OPAQUE, 0],
  ] as const)
    for (const [x, y] of drawDots(letters)) paint(x + shift, y + shift, shade)
  return { width, height, pixels }
}

/** The letters of each line; a line ends at a space where it can. */
function wrap(text: string, lettersMax: number): string[][] {
  const lines: string[][] = []
  let rest = [...text]
  while (rest.length > lettersMax) {
    const space = rest.lastIndexOf(' ', lettersMax)
    const end = space > 0 ? space : lettersMax
    lines.push(rest.slice(0, end))
    rest = rest.slice(space > 0 ? end + 1 : end)
  }
  return [...lines, rest]
}

function* drawDots(lines: readonly string[][]): Generator<readonly [number, number]> {
  for (const [line, letters] of lines.entries())
    for (const [at, letter] of letters.entries())
      for (const [column, bits] of Buffer.from(GLYPHS[letter] ?? UNKNOWN, 'hex').entries())
        for (let row = 0; row < GLYPH_ROWS; row += 1)
          if ((bits >> row) & 1) yield [at * GLYPH_COLUMNS + column + 1, line * LINE_ROWS + row + 1]
}

const BLURRED_WIDTH = 120
const BLUR_SIGMA = 4

/** A small JPEG in which shapes and colours are seen, and no face. */
export function blur(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture)
    .resize({ width: BLURRED_WIDTH })
    .blur(BLUR_SIGMA)
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer()
}

/** The pixels of a picture of this server, scaled down to this side at most; undefined when its file is damaged. */
export async function decode(
  picture: Uint8Array,
  sideMax: number,
): Promise<RawPicture | undefined> {
  const size = {
    width: sideMax,
    height: sideMax,
    fit: 'inside',
    withoutEnlargement: true,
  } as const
  const decoded = await sharp(picture)
    .resize(size)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => undefined)
  if (!decoded) return undefined
  const { data, info } = decoded
  return { pixels: new Uint8Array(data), width: info.width, height: info.height }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fontSubset } from '@duet/ui/fonts/subset.ts'
import { pageFonts } from './page-fonts.ts'

const FONTS = join(import.meta.dirname, '../../../packages/ui/fonts')
const face = (family: string, style: string, file: string, range: string) =>
  `@font-face{font-family:${family};font-style:${style};src:url(/${file}.woff2)format("woff2");unicode-range:${range}}`
const CSS = [
  face('Onest Variable', 'normal', 'onest-latin', 'U+??,U+131'),
  face('Onest Variable', 'normal', 'onest-cyrillic', 'U+301,U+400-45F'),
  face('Literata Display', 'normal', 'literata-display-latin', 'U+??'),
  face('Literata Display', 'italic', 'literata-display-latin-italic', 'U+??'),
  '@font-face{font-family:Onest fallback;src:local(Arial)}',
].join('')

const getFonts = (html: string) =>
  pageFonts({ css: CSS, html, read: (address) => readFileSync(join(FONTS, address)) })

interface Made {
  name: string
  style: string
  range: string
  font: Buffer
}

const made = (template: string): Made[] =>
  (
    JSON.parse(/<template id="page-fonts">([^<]*)/.exec(template)![1]!) as Record<string, string>[]
  ).map(({ family, style, unicodeRange, base64 }) => ({
    name: family!,
    style: style!,
    range: unicodeRange!,
    font: Buffer.from(base64!, 'base64'),
  }))

/** A font without a character is cut to less. */
async function draws({ font }: Made, character: string): Promise<boolean> {
  const wght = { min: 420, max: 500 }
  const [one, none] = await Promise.all([
    fontSubset(font, character, { wght }),
    fontSubset(font, '\u{10ffff}', { wght }),
  ])
  return one.length > none.length
}

test('each family draws the characters of its own elements and no others', async () => {
  const html = '<h1 class="display-xl">ab<em class="emphasis">c</em></h1><p>d &amp; e</p>'
  const fonts = made(await getFonts(html))
  expect(fonts.map(({ name, style }) => `${name} ${style}`)).toEqual([
    'Onest Page normal',
    'Literata Page normal',
    'Literata Page italic',
  ])
  const drawn = fonts.map((font) =>
    Promise.all(['b', '&', 'z'].map(async (sign) => ((await draws(font, sign)) ? sign : ''))),
  )
  const found = (await Promise.all(drawn)).map((signs) => signs.join(''))
  expect(found).toEqual(['b&', 'b', ''])
})

test('figures that arrive later are drawn by the same font', async () => {
  const [onest] = made(await getFonts('<p>a</p>'))
  expect(await draws(onest!, '7')).toBe(true)
})

test('the fonts of the page stand before the whole families, and a family without text is not named', async () => {
  const css = await getFonts('<p>a</p>')
  expect(css).toContain("--page-font-ui:'Onest Page',;")
  expect(css).toContain('--page-font-display:}')
})

test('a second script of the page is a second face of the family', async () => {
  const css = await getFonts('<p>a Привет</p>')
  const faces = made(css).map(({ name, range }) => `${name} ${range}`)
  expect(faces).toEqual(['Onest Page U+??,U+131', 'Onest Page U+301,U+400-45F'])
})

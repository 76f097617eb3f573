/**
 * Writes the committed woff2 files of this folder. Run this script after an update of a font package:
 * `node packages/ui/fonts/build.ts`
 *
 * Literata has a fixed optical size of 60, because the product uses its display cut. Without this axis the file is half
 * as large. Onest and Vazirmatn are unchanged.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const here = new URL('./', import.meta.url)
const packaged = (family: string, file: string) =>
  fileURLToPath(import.meta.resolve(`@fontsource-variable/${family}/files/${file}.woff2`))

const pinned = {
  'literata-latin-opsz-normal': 'literata-display-latin',
  'literata-cyrillic-opsz-normal': 'literata-display-cyrillic',
  'literata-latin-opsz-italic': 'literata-display-latin-italic',
}

const copied = [
  ['onest', 'onest-latin-wght-normal', 'onest-latin'],
  ['onest', 'onest-latin-ext-wght-normal', 'onest-latin-ext'],
  ['onest', 'onest-cyrillic-wght-normal', 'onest-cyrillic'],
  ['vazirmatn', 'vazirmatn-arabic-wght-normal', 'vazirmatn-arabic'],
] as const

for (const [from, to] of Object.entries(pinned)) {
  const source = await readFile(packaged('literata', from))
  const cut = await subsetFont(source, undefined, {
    keepAllGlyphs: true,
    targetFormat: 'woff2',
    variationAxes: { opsz: 60, wght: { min: 400, max: 600 } },
  })
  await writeFile(new URL(`${to}.woff2`, here), cut)
  console.log(`${to} ${cut.length}`)
}

for (const [family, from, to] of copied) {
  await copyFile(packaged(family, from), new URL(`${to}.woff2`, here))
  console.log(`${to} copied`)
}

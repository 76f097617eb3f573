import subsetFont from 'subset-font'

type Axes = NonNullable<Parameters<typeof subsetFont>[2]['variationAxes']>

/** The part of a woff2 font that draws these characters, with the wanted range of each axis. */
export function fontSubset(font: Buffer, text: string, variationAxes: Axes): Promise<Buffer> {
  return subsetFont(font, text, { targetFormat: 'woff2', variationAxes })
}

declare module 'fontkit' {
  export function create(font: Buffer): {
    /** The code points of the font. */
    readonly characterSet: readonly number[]
  }
}
declare module 'fontverter' {
  export function convert(font: Buffer, to: 'sfnt'): Promise<Buffer>
}
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes?: Record<string, number> },
  ): Promise<Buffer>
}

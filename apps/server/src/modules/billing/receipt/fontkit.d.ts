declare module 'fontkit' {
  export function create(font: Buffer): {
    /** The code points of the font. */
    readonly characterSet: readonly number[]
  }
}

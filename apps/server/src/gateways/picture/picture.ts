/** Widths in pixels that a picture is kept in; a narrower original is not blown up. `blur` is what may be shown to anybody. */
export const picture_widths = { small: 120, card: 480, full: 800 } as const
export type PictureSize = keyof typeof picture_widths | 'blur'
export const picture_sizes: ReadonlySet<string> = new Set<PictureSize>(['small', 'card', 'full', 'blur'])

export interface Picture {
  /** Of the largest file. */
  readonly width: number
  readonly height: number
  /** WebP by size. */
  readonly files: ReadonlyMap<PictureSize, Buffer>
}

/** Makes what people upload into what we show. */
export interface Pictures {
  readonly sizes: ReadonlySet<string>
  /** Decodes, strips and re-encodes; undefined when it is no jpg, png or webp that we read, `busy` when too many wait. */
  encode(bytes: Uint8Array): Promise<Picture | undefined | 'busy'>
}

/** Widths in pixels that a picture is kept in; a narrower original is not blown up. `blur` is what may be shown to anybody. */
export const IMAGE_WIDTHS = { small: 120, card: 480, full: 800 } as const
export type ImageSize = keyof typeof IMAGE_WIDTHS | 'blur'
export const IMAGE_SIZES: ReadonlySet<string> = new Set<ImageSize>([
  'small',
  'card',
  'full',
  'blur',
])

export interface ProcessedImage {
  /** Of the largest file. */
  readonly width: number
  readonly height: number
  /** WebP by size. */
  readonly files: ReadonlyMap<ImageSize, Buffer>
}

/** Makes what people upload into what we show. */
export interface ImageProcessor {
  readonly sizes: ReadonlySet<string>
  /** Decodes, strips and re-encodes; undefined when it is no jpg, png or webp that we read, `busy` when too many wait. */
  encode(bytes: Uint8Array): Promise<ProcessedImage | undefined | 'busy'>
}

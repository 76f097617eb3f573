import type { PictureHashes } from './picture-hash.ts'

/** Widths in pixels in which a picture is stored; a narrower original is not enlarged. `blur` may be shown to every viewer. */
export const IMAGE_WIDTHS = { small: 120, card: 480, full: 800 } as const
export type ImageSize = keyof typeof IMAGE_WIDTHS | 'blur'
export const IMAGE_SIZES: ReadonlySet<string> = new Set<ImageSize>([
  'small',
  'card',
  'full',
  'blur',
])

export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** A square in pixels of the upright picture. What is outside of the picture is left out. */
export interface PictureCrop {
  readonly x: number
  readonly y: number
  readonly size: number
}

export interface EncodeOptions {
  /** Default: every format. */
  readonly formats?: readonly ImageFormat[] | undefined
  readonly crop?: PictureCrop | undefined
  /** A larger picture is not decoded. Default: the limit of photos. */
  readonly pixels_max?: number | undefined
  /** The user whose picture it is: users take turns. Absent: the server itself. */
  readonly owner_id?: number | undefined
}

/** Side in pixels of the square that a model looks at. */
export const SAMPLE_SIDE = 224

/** RGB, row by row. */
export interface RawPicture {
  readonly pixels: Uint8Array
  readonly width: number
  readonly height: number
}

export interface ProcessedImage {
  /** Of the largest file. */
  readonly width: number
  readonly height: number
  /** WebP by size. */
  readonly files: ReadonlyMap<ImageSize, Buffer>
  /** The whole picture as a square of RGB pixels. */
  readonly sample: Uint8Array
  /** Undefined: the picture has too little in it to be recognised. */
  readonly hashes: PictureHashes | undefined
}

/** Turns uploaded pictures into the files that are shown. */
export interface ImageProcessor {
  readonly widths: typeof IMAGE_WIDTHS
  readonly sizes: ReadonlySet<string>
  /** Decodes, strips and re-encodes; undefined when it is no readable picture of these formats, `busy` when too many wait. */
  encode(bytes: Uint8Array, options?: EncodeOptions): Promise<ProcessedImage | undefined | 'busy'>
  /**
   * The same for a document of identity: one JPEG, large enough to read its small print, without metadata. Documents do not
   * wait behind pictures.
   */
  encodeDocument(
    bytes: Uint8Array,
    sender: { readonly owner_id: number; readonly network: string },
  ): Promise<Buffer | undefined | 'busy'>
  /** A picture of this server, as JPEG with a text over all of it. */
  watermark(picture: Uint8Array, text: string): Promise<Buffer>
  /** The pixels of a picture of this server, scaled down to this side at most; undefined when its file is damaged. */
  decode(picture: Uint8Array, sideMax: number): Promise<RawPicture | undefined>
  /** A small JPEG in which shapes and colours are seen, and no face. */
  blur(picture: Uint8Array): Promise<Buffer>
}

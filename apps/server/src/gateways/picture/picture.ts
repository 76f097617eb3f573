import sharp from 'sharp'

/** Widths in pixels that a picture is kept in; a narrower original is not blown up. `blur` is what may be shown to anybody. */
export const picture_sizes = { small: 120, card: 480, full: 800 } as const
export type PictureSize = keyof typeof picture_sizes | 'blur'

const megapixels_max = 40_000_000
const seconds_max = 5
const quality = 82
/** So few pixels that no face is left, whatever is done to them. */
const blur_width = 24

export interface Picture {
  readonly width: number
  readonly height: number
  readonly files: ReadonlyMap<PictureSize, Buffer>
}

/**
 * Decodes, strips and re-encodes a picture into WebP of every size; undefined when it is no jpg, png or webp that we read.
 * sharp keeps no metadata unless asked, reads one frame, and stops at the limits.
 */
export async function encodePicture(bytes: Uint8Array): Promise<Picture | undefined> {
  const image = sharp(bytes, { limitInputPixels: megapixels_max, animated: false, failOn: 'error' }).timeout({ seconds: seconds_max })
  try {
    const { format } = await image.metadata()
    if (format !== 'jpeg' && format !== 'png' && format !== 'webp') return undefined
    const upright = image.rotate()
    const files = new Map<PictureSize, Buffer>()
    let largest = { width: 0, height: 0 }
    for (const [size, width] of Object.entries(picture_sizes) as [keyof typeof picture_sizes, number][]) {
      const { data, info } = await upright
        .clone()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality })
        .toBuffer({ resolveWithObject: true })
      files.set(size, data)
      largest = { width: info.width, height: info.height }
    }
    files.set('blur', await upright.clone().resize({ width: blur_width }).blur(2).webp({ quality: 40 }).toBuffer())
    return { ...largest, files }
  } catch {
    return undefined
  }
}

import sharp from 'sharp'
import { createSemaphore } from '../../lib/semaphore.ts'
import {
  IMAGE_SIZES,
  IMAGE_WIDTHS,
  type ProcessedImage,
  type ImageProcessor,
  type ImageSize,
} from './images.ts'

const megapixels_max = 40_000_000
const seconds_max = 5
const quality = 82
/** Of libwebp's 0 to 6: half the time of its default for a twentieth more bytes. */
const effort = 2
/** So few pixels that no face is left, whatever is done to them. */
const blur_width = 24
const at_once = 2
const waiting_max = 50

/** By libvips, outside of the event loop. It keeps no metadata unless asked, reads one frame, and stops at the limits. */
export function createSharpImageProcessor(): ImageProcessor {
  const turns = createSemaphore({ at_once, waiting_max })
  return {
    sizes: IMAGE_SIZES,
    encode: async (bytes) => turns.run(() => encode(bytes)) ?? 'busy',
  }
}

async function encode(bytes: Uint8Array): Promise<ProcessedImage | undefined> {
  try {
    const image = sharp(bytes, {
      limitInputPixels: megapixels_max,
      animated: false,
      failOn: 'error',
    }).timeout({
      seconds: seconds_max,
    })
    const { format } = await image.metadata()
    if (format !== 'jpeg' && format !== 'png' && format !== 'webp') return undefined
    const upright = image.rotate()
    const files = new Map<ImageSize, Buffer>()
    let largest = { width: 0, height: 0 }
    for (const [size, width] of Object.entries(IMAGE_WIDTHS) as [
      keyof typeof IMAGE_WIDTHS,
      number,
    ][]) {
      const { data, info } = await upright
        .clone()
        .resize({ width, withoutEnlargement: true })
        .webp({ quality, effort })
        .toBuffer({ resolveWithObject: true })
      files.set(size, data)
      largest = { width: info.width, height: info.height }
    }
    files.set(
      'blur',
      await upright.clone().resize({ width: blur_width }).blur(2).webp({ quality: 40 }).toBuffer(),
    )
    return { ...largest, files }
  } catch {
    return undefined
  }
}

import sharp from 'sharp'
import { createSemaphore } from '../../lib/semaphore.ts'
import {
  IMAGE_SIZES,
  IMAGE_WIDTHS,
  type ProcessedImage,
  type ImageProcessor,
  type ImageSize,
} from './images.ts'
import { watermark } from './watermark.ts'

const PIXELS_MAX = 40_000_000
const DECODE_SECONDS_MAX = 5
const WEBP_QUALITY = 82
/** Of libwebp's 0 to 6: half the time of its default for a twentieth more bytes. */
const WEBP_EFFORT = 2
/** So few pixels that no face can be recognised, whatever is done to them. */
const BLUR_WIDTH = 24
/** The longer side of a document's picture: its small print stays readable. */
const DOCUMENT_PIXELS = 2200
const DOCUMENT_QUALITY = 88
const CONCURRENT_MAX = 2
const WAITING_MAX = 50

/**
 * libvips recognises many formats by their first bytes, SVG among them, whose loaders read files and have had faults. Only
 * the loaders of the three formats stay, and nothing but those formats reaches libvips at all.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})

/** Uses libvips, outside the event loop. It stores no metadata, reads one frame, and stops at the limits. */
export function createSharpImageProcessor(): ImageProcessor {
  const semaphore = createSemaphore({ at_once: CONCURRENT_MAX, waiting_max: WAITING_MAX })
  return {
    sizes: IMAGE_SIZES,
    encode: async (bytes) => semaphore.run(() => encode(bytes)) ?? 'busy',
    encodeDocument: async (bytes) => semaphore.run(() => encodeDocument(bytes)) ?? 'busy',
    watermark,
  }
}

function isSupported(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  return (
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    (text.startsWith('RIFF') && text.endsWith('WEBP'))
  )
}

async function encode(bytes: Uint8Array): Promise<ProcessedImage | undefined> {
  if (!isSupported(bytes)) return undefined
  try {
    const image = sharp(bytes, {
      limitInputPixels: PIXELS_MAX,
      animated: false,
      failOn: 'error',
    }).timeout({
      seconds: DECODE_SECONDS_MAX,
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
        .webp({ quality: WEBP_QUALITY, effort: WEBP_EFFORT })
        .toBuffer({ resolveWithObject: true })
      files.set(size, data)
      largest = { width: info.width, height: info.height }
    }
    files.set(
      'blur',
      await upright.clone().resize({ width: BLUR_WIDTH }).blur(2).webp({ quality: 40 }).toBuffer(),
    )
    return { ...largest, files }
  } catch {
    return undefined
  }
}

async function encodeDocument(bytes: Uint8Array): Promise<Buffer | undefined> {
  if (!isSupported(bytes)) return undefined
  try {
    return await sharp(bytes, { limitInputPixels: PIXELS_MAX, animated: false, failOn: 'error' })
      .timeout({ seconds: DECODE_SECONDS_MAX })
      .rotate()
      .resize({
        width: DOCUMENT_PIXELS,
        height: DOCUMENT_PIXELS,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: DOCUMENT_QUALITY })
      .toBuffer()
  } catch {
    return undefined
  }
}

import sharp, { type Sharp } from 'sharp'
import './permitted-loaders.ts'
import {
  IMAGE_WIDTHS,
  SAMPLE_SIDE,
  type EncodeOptions,
  type ImageFormat,
  type ImageSize,
  type PictureCrop,
  type ProcessedImage,
} from './images.ts'
import { HASHED_SIDE, computeHashes } from './picture-hash.ts'

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

function formatByFirstBytes(bytes: Uint8Array): ImageFormat | undefined {
  const text = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return text.startsWith('RIFF') && text.endsWith('WEBP') ? 'webp' : undefined
}

/** Decodes, turns upright, crops and re-encodes without metadata, one frame; undefined when it is no readable picture. */
export function encodePicture(
  bytes: Uint8Array,
  { crop, ...limits }: EncodeOptions,
): Promise<ProcessedImage | undefined> {
  return decoded(bytes, limits, async (image, metadata) =>
    encodeSizes(image, crop && squareWithin(turnUpright(metadata), crop)),
  )
}

/** A document of identity as one JPEG, upright and without metadata. */
export function encodeDocument(bytes: Uint8Array): Promise<Buffer | undefined> {
  return decoded(bytes, {}, (image) =>
    image
      .rotate()
      .resize({
        width: DOCUMENT_PIXELS,
        height: DOCUMENT_PIXELS,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: DOCUMENT_QUALITY })
      .toBuffer(),
  )
}

async function decoded<Encoded>(
  bytes: Uint8Array,
  { formats, pixels_max = PIXELS_MAX }: Pick<EncodeOptions, 'formats' | 'pixels_max'>,
  encode: (image: Sharp, metadata: Measures & { orientation?: number }) => Promise<Encoded>,
): Promise<Encoded | undefined> {
  const format = formatByFirstBytes(bytes)
  if (format === undefined || (formats && !formats.includes(format))) return undefined
  try {
    const image = sharp(bytes, {
      limitInputPixels: pixels_max,
      animated: false,
      failOn: 'error',
    }).timeout({ seconds: DECODE_SECONDS_MAX })
    const metadata = await image.metadata()
    return metadata.format === format ? await encode(image, metadata) : undefined
  } catch {
    return undefined
  }
}

/** The largest size is made of the upload, the others of the largest: the upload is decoded once. */
async function encodeSizes(image: Sharp, crop: PictureCrop | undefined): Promise<ProcessedImage> {
  const upright = image.rotate()
  const part = crop
    ? upright.extract({ left: crop.x, top: crop.y, width: crop.size, height: crop.size })
    : upright
  const { data, info } = await part
    .resize({ width: IMAGE_WIDTHS.full, withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const largest = () => sharp(data, { raw: { width, height, channels } })
  const files = new Map<ImageSize, Buffer>()
  for (const [size, most] of Object.entries(IMAGE_WIDTHS) as [keyof typeof IMAGE_WIDTHS, number][])
    files.set(
      size,
      await largest()
        .resize({ width: most, withoutEnlargement: true })
        .webp({ quality: WEBP_QUALITY, effort: WEBP_EFFORT })
        .toBuffer(),
    )
  files.set(
    'blur',
    await largest().resize({ width: BLUR_WIDTH }).blur(2).webp({ quality: 40 }).toBuffer(),
  )
  return { width, height, files, ...(await checkedForms(largest)) }
}

/** The forms that the checks of a picture look at. Behind transparent parts, viewers see the background of a page. */
async function checkedForms(
  largest: () => Sharp,
): Promise<Pick<ProcessedImage, 'sample' | 'hashes'>> {
  const square = (side: number) =>
    largest().flatten({ background: '#ffffff' }).resize({ width: side, height: side, fit: 'fill' })
  const sample = await square(SAMPLE_SIDE).removeAlpha().raw().toBuffer()
  const grey = await square(HASHED_SIDE).greyscale().raw().toBuffer()
  return { sample, hashes: computeHashes(grey) }
}

interface Measures {
  readonly width: number
  readonly height: number
}

/** Cameras store a picture as the sensor had it, and how it is turned beside it. */
function turnUpright({
  width,
  height,
  orientation = 1,
}: Measures & { readonly orientation?: number | undefined }): Measures {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}

/** The square of the user moved into the picture: the page counts in the pixels of its own decoder. */
function squareWithin({ width, height }: Measures, { x, y, size }: PictureCrop): PictureCrop {
  const left = Math.min(x, width - 1)
  const top = Math.min(y, height - 1)
  return { x: left, y: top, size: Math.max(1, Math.min(size, width - left, height - top)) }
}

import sharp from 'sharp'
import { randomFrom } from './seeded-random.ts'
import type { TestUser } from './test-user.ts'

/** A picture of one colour in a format that users upload. */
export function pictureBytes(
  width = 60,
  height = 40,
  { format = 'jpeg', colour = '#a4c' }: { format?: 'jpeg' | 'png' | 'webp'; colour?: string } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer()
}

/** @throws if the bytes are no picture */
export async function pictureSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { width, height } = await sharp(bytes).metadata()
  return { width, height }
}

/** A form with one file, as a page sends it. */
export function fileForm(
  field: string,
  bytes: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  name = 'picture.jpg',
): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set(field, new Blob([Uint8Array.from(bytes)]), name)
  return form
}

/** Uploads through the storage's own call. */
export function uploadImage(
  user: TestUser,
  product: string,
  bytes: Uint8Array,
): Promise<Record<string, unknown>> {
  const token = String(user.user.fs_token)
  return user.post(`/upload/image/${product}` as string, fileForm('image', bytes), {
    'user-access-token': token,
  })
}

/** A wide picture, red at the start and blue at the end. */
export async function redAndBlue(side = 600): Promise<Buffer> {
  const half = (colour: string) => pictureBytes(side, side, { format: 'png', colour })
  return sharp({ create: { width: 2 * side, height: side, channels: 3, background: '#000' } })
    .composite([
      { input: await half('#e00000'), left: 0, top: 0 },
      { input: await half('#0000e0'), left: side, top: 0 },
    ])
    .png()
    .toBuffer()
}

/** A picture of shapes in this width, as a camera stores it. */
export async function photoBytes(width: number): Promise<Buffer> {
  return sharp(await patternBytes(7))
    .resize({ width })
    .jpeg({ quality: 88 })
    .toBuffer()
}

/** An upright photo of more than 2 MB, as the camera of a phone takes it. */
export function cameraPhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width: 1800, height: 2400, channels: 3, background: '#000', noise } })
    .jpeg({ quality: 95 })
    .toBuffer()
}

/** The pixels of a picture, decoded in this process without any limit. */
export function decodedPixels(bytes: Uint8Array): Promise<Buffer> {
  return sharp(bytes).raw().toBuffer()
}

/** The most frequent colour of a picture. */
export async function dominantColour(
  bytes: Uint8Array,
): Promise<{ r: number; g: number; b: number }> {
  return (await sharp(bytes).stats()).dominant
}

/** A picture of shapes at places that the seed decides, as different from that of another seed as two photos. */
export function patternBytes(seed: number, format: 'jpeg' | 'png' = 'jpeg'): Promise<Buffer> {
  const random = randomFrom(seed)
  const width = 800
  const height = 600
  const bytes = new Uint8Array(width * height * 3)
  const shapes = Array.from({ length: 40 }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 30 + random() * 120,
    colour: [random() * 255, random() * 255, random() * 255],
  }))
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const on = shapes.findLast((shape) => Math.hypot(shape.x - x, shape.y - y) < shape.radius)
      bytes.set(on?.colour ?? [x / 4, y / 3, 128], (y * width + x) * 3)
    }
  return sharp(bytes, { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()
}

/** The documents of an identity check, as a girl sends them. */
export async function sendDocuments(user: TestUser) {
  const { challenge } = await user.get('kyc')
  const form = new FormData()
  const fields = { type: 'passport', country: 'DE', consent: 'true' }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('challenge_id', challenge!.id)
  for (const side of ['front', 'selfie']) {
    const bytes = await sharp({
      create: { width: 900, height: 640, channels: 3, background: '#884422' },
    })
      .jpeg()
      .toBuffer()
    form.set(side, new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `${side}.jpg`)
  }
  await user.post('upload_passport', form)
}

import sharp from 'sharp'
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

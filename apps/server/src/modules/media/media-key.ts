/** The uploaded video until it is converted. It has no address. */
export const UPLOADED_VIDEO = 'upload'

const EXTENSIONS: Readonly<Record<string, string>> = { video: 'mp4', [UPLOADED_VIDEO]: 'bin' }
const SIZES = ['small', 'card', 'full', 'blur', 'video', UPLOADED_VIDEO]

/** The key of one file of an upload in the storage integration. */
export function mediaKey(id: string, size: string): string {
  return `media/${id}/${size}.${EXTENSIONS[size] ?? 'webp'}`
}

/** Every key that an upload may have files under. */
export function mediaKeys(id: string): string[] {
  return SIZES.map((size) => mediaKey(id, size))
}

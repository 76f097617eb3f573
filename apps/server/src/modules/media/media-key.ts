/** The key of one size of a picture in the storage integration. */
export function mediaKey(id: string, size: string): string {
  return `media/${id}/${size}.webp`
}

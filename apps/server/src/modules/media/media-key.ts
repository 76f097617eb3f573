/** Under which key the storage gateway keeps a picture in one size. */
export function mediaKey(id: string, size: string): string {
  return `media/${id}/${size}.webp`
}

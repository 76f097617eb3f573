const START_OF_IMAGE = 0xffd8
/** The frame headers of JPEG are C0 to CF, without the tables and extensions C4, C8 and CC. */
const NO_FRAME_HEADERS: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc])

/** The size that the header of a JPEG names, without decoding it. Undefined: the bytes are no JPEG. */
export function readJpegSize(
  bytes: Buffer,
): { readonly width: number; readonly height: number } | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== START_OF_IMAGE) return undefined
  // Each segment begins with FF, its marker and its length, which counts itself.
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1]!
    if (marker >= 0xc0 && marker <= 0xcf && !NO_FRAME_HEADERS.has(marker))
      return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** In every hostile upload; no file that is stored or served may contain it. */
export const CANARY = 'CANARY-a7f3-52.5200N'
export const PAGE = `<html><script>alert("${CANARY}")</script></html>`

export interface HostileFile {
  readonly label: string
  readonly bytes: Buffer
}

export function hostile(label: string, ...parts: readonly (string | Uint8Array)[]): HostileFile {
  const bytes = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
  )
  return { label, bytes }
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A chunk of a PNG. Its checksum is zero: decoders that check it refuse the file, others read on. */
export function pngChunk(type: string, content: Uint8Array): Buffer {
  return Buffer.concat([uint32(content.length), Buffer.from(type), content, Buffer.alloc(4)])
}

/** A segment of a JPEG, for instance a comment (FE) or the metadata of a program (E1, ED). */
export function jpegSegment(marker: number, content: Uint8Array | string): Buffer {
  const body = Buffer.from(content as string, 'latin1')
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([head, body])
}

/** Puts bytes directly behind the first marker of a JPEG. */
export function behindStart(jpeg: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
}

/** Puts chunks directly behind the header of a PNG. */
export function behindHeader(png: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
}

/** A box of an MP4. */
export function box(type: string, ...content: readonly (string | Uint8Array)[]): Buffer {
  const { bytes } = hostile('', ...content)
  return Buffer.concat([uint32(bytes.length + 8), Buffer.from(type), bytes])
}

/** A ZIP with one stored entry. */
export function zip(name: string, content: string): Buffer {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt32LE(content.length, 18)
  local.writeUInt32LE(content.length, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt32LE(content.length, 20)
  central.writeUInt32LE(content.length, 24)
  central.writeUInt16LE(name.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(30 + name.length + content.length, 16)
  return hostile('', local, name, content, central, name, end).bytes
}

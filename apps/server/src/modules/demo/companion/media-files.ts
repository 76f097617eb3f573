import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `paint.sh` beside the files makes them. */
const FOLDER = fileURLToPath(new URL('../../../../assets/companions', import.meta.url))

const IVF_HEADER_BYTES = 32
const IVF_FRAME_HEADER_BYTES = 12
const OGG_HEADER_BYTES = 27
/** The two packets before the sound describe it. */
const OPUS_HEADERS = 2

/** The VP8 frames of the picture of this demo user: a loop that begins with its only key frame. */
export async function readPicture(name: string): Promise<Buffer[]> {
  const file = await readFile(join(FOLDER, `${name}.ivf`))
  const frames: Buffer[] = []
  for (let at = IVF_HEADER_BYTES; at < file.length;) {
    const end = at + IVF_FRAME_HEADER_BYTES + file.readUInt32LE(at)
    frames.push(file.subarray(at + IVF_FRAME_HEADER_BYTES, end))
    at = end
  }
  return frames
}

/** The Opus packets of the quiet sound of a room: a loop. */
export async function readSound(): Promise<Buffer[]> {
  const file = await readFile(join(FOLDER, 'room.ogg'))
  const packets: Buffer[] = []
  let begun: Buffer[] = []
  for (let at = 0; at < file.length;) {
    const sizes = file.subarray(at + OGG_HEADER_BYTES, at + OGG_HEADER_BYTES + file[at + 26]!)
    at += OGG_HEADER_BYTES + sizes.length
    for (const size of sizes) {
      begun.push(file.subarray(at, at + size))
      at += size
      // A full segment goes on in the next segment.
      if (size === 255) continue
      packets.push(Buffer.concat(begun))
      begun = []
    }
  }
  return packets.slice(OPUS_HEADERS)
}

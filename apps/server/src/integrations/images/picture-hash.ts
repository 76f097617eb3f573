/**
 * A hash that hardly changes when a picture is scaled, compressed again or slightly changed. It is 256 bits
 * of the coarsest frequencies, as PDQ defines them, so that lists of such hashes can be imported (Facebook,
 * "The TMK+PDQF video-hashing algorithm and the PDQ image-hashing algorithm", 2019). libvips scales the
 * picture first, so a hash differs from the hash of the reference program in a few bits.
 */

/** Side of the grey picture that is hashed. */
export const HASHED_SIDE = 64
const FREQUENCIES = 16
/** Of PDQ: a picture below it has too few edges, and its hash is like that of many others. */
const QUALITY_MIN = 50
const WORD_BITS = 16

export interface PictureHashes {
  /** 64 hexadecimal digits. */
  readonly hash: string
  /** The hash of the same picture, mirrored. */
  readonly mirrored: string
}

/** `grey`: 64×64 bytes of brightness. Undefined for a picture with too little in it to be recognised. */
export function computeHashes(grey: Uint8Array): PictureHashes | undefined {
  if (computeQuality(grey) < QUALITY_MIN) return undefined
  const frequencies = computeFrequencies(grey)
  return {
    hash: bitsAboveMedian(frequencies),
    // Mirroring turns the sign of every odd frequency; the first column is frequency 1.
    mirrored: bitsAboveMedian(
      frequencies.map((value, place) => ((place % FREQUENCIES) % 2 === 0 ? -value : value)),
    ),
  }
}

/** From 0 to 100: how much brightness changes between neighbours. */
function computeQuality(grey: Uint8Array): number {
  let sum = 0
  for (let place = 0; place < grey.length; place += 1) {
    const here = grey[place]!
    const below = grey[place + HASHED_SIDE]
    const beside = (place + 1) % HASHED_SIDE === 0 ? undefined : grey[place + 1]
    for (const other of [below, beside])
      if (other !== undefined) sum += Math.trunc((Math.abs(here - other) * 100) / 255)
  }
  return Math.min(100, Math.trunc(sum / 90))
}

const COSINES = Float64Array.from({ length: FREQUENCIES * HASHED_SIDE }, (_, place) => {
  const frequency = Math.trunc(place / HASHED_SIDE) + 1
  const at = place % HASHED_SIDE
  return Math.cos((Math.PI / 2 / HASHED_SIDE) * frequency * (2 * at + 1))
})

/** The discrete cosine transform, frequencies 1 to 16 in each direction. */
function computeFrequencies(grey: Uint8Array): Float64Array {
  const rows = new Float64Array(FREQUENCIES * HASHED_SIDE)
  for (let row = 0; row < FREQUENCIES; row += 1)
    for (let x = 0; x < HASHED_SIDE; x += 1)
      for (let y = 0; y < HASHED_SIDE; y += 1)
        rows[row * HASHED_SIDE + x]! += COSINES[row * HASHED_SIDE + y]! * grey[y * HASHED_SIDE + x]!
  const frequencies = new Float64Array(FREQUENCIES * FREQUENCIES)
  for (let row = 0; row < FREQUENCIES; row += 1)
    for (let column = 0; column < FREQUENCIES; column += 1)
      for (let x = 0; x < HASHED_SIDE; x += 1)
        frequencies[row * FREQUENCIES + column]! +=
          COSINES[column * HASHED_SIDE + x]! * rows[row * HASHED_SIDE + x]!
  return frequencies
}

/** Bit 0 is the last of the text. */
function bitsAboveMedian(frequencies: Float64Array): string {
  const median = frequencies.toSorted()[frequencies.length / 2 - 1]!
  const words: string[] = []
  for (let first = 0; first < frequencies.length; first += WORD_BITS) {
    let word = 0
    for (let bit = 0; bit < WORD_BITS; bit += 1)
      if (frequencies[first + bit]! > median) word |= 1 << bit
    words.unshift(word.toString(16).padStart(WORD_BITS / 4, '0'))
  }
  return words.join('')
}

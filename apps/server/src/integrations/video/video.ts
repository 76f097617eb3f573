/** An uploaded video that can be converted. */
export interface ProbedVideo {
  readonly width: number
  readonly height: number
  /** Undefined where the file does not say it; a conversion ends after the permitted time. */
  readonly seconds: number | undefined
}

export interface ConvertedVideo {
  /** MP4 with H.264 and AAC, without metadata. */
  readonly video: Buffer
  /** A frame each `FRAME_EVERY_SECONDS` as JPEG, from the first one on. */
  readonly frames: readonly Buffer[]
}

/** Turns uploaded videos into the single form that is shown. */
export interface VideoConverter {
  readonly installed: boolean
  /** Whether the program runs with limits, and without a network. */
  readonly sandbox: { readonly limits: boolean; readonly no_network: boolean }
  /** False where the program is not installed or may not run: videos are then refused. */
  readonly available: boolean
  /** Longer videos are not converted. */
  readonly seconds_max: number
  /** Whether an upload is a video by its first bytes. */
  isVideo(bytes: Uint8Array): boolean
  /** Undefined when it is no video that can be read; `busy` when too many wait, or two of this owner. */
  probe(bytes: Uint8Array, owner_id?: number): Promise<ProbedVideo | undefined | 'busy'>
  /** Undefined when it cannot be converted. One video is converted at a time. */
  convert(bytes: Uint8Array): Promise<ConvertedVideo | undefined>
}

export const VIDEO_SECONDS_MAX = 60
export const FRAME_EVERY_SECONDS = 5

/** The container of a video by its first bytes; undefined for everything else, playlists among it. */
export function findVideoContainer(bytes: Uint8Array): 'mov' | 'matroska' | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (/^....(ftyp|moov|mdat|wide)/s.test(head)) return 'mov'
  return head.startsWith('\x1a\x45\xdf\xa3') ? 'matroska' : undefined
}

import type { LinkReading } from './link-reading.ts'
import type { EngineClock } from '../ports.ts'

export interface FirstFrameParts {
  clock: EngineClock
  /** The element that shows the partner, or null while there is none. */
  element(): HTMLVideoElement | null
  hasFrame(): boolean
  /** May reject when the connection is closed. */
  read(): Promise<LinkReading>
  onFrame(): void
}

/** The browser reports painting; polling covers frames that are never painted. It is slow because reading statistics delays the start. */
const LOOK_EVERY_MS = 250
/** A hidden tab decodes and never paints; after this many polls with a decoded frame, the frame counts as shown. */
const LOOKS_FOR_PAINT = 2
/** A partner whose camera is off sends sound and no picture; after this many polls they count as connected. */
const LOOKS_FOR_VOICE = 20

/**
 * Calls `onFrame` once, when the first frame of the partner was decoded and painted. The video element has shown other partners
 * before, so a painted frame only counts when this connection decoded one. Returns the function that stops watching.
 */
export function watchFirstFrame({
  clock,
  element,
  hasFrame,
  read,
  onFrame,
}: FirstFrameParts): () => void {
  let over = false
  let looksDecoded = 0
  let looksVoice = 0
  let asked: HTMLVideoElement | null = null
  let request = 0
  let forgetLook = clock.after(LOOK_EVERY_MS, look)
  askForPaint()

  function stop() {
    over = true
    forgetLook()
    asked?.cancelVideoFrameCallback?.(request)
  }

  function settle() {
    if (over) return
    stop()
    onFrame()
  }

  function askForPaint() {
    const now = element()
    if (over || now === asked) return
    asked?.cancelVideoFrameCallback?.(request)
    asked = now
    askOnce()
  }

  function askOnce() {
    if (over || !asked?.requestVideoFrameCallback) return
    request = asked.requestVideoFrameCallback(() => (hasFrame() ? settle() : askOnce()))
  }

  async function look() {
    askForPaint()
    const reading = await read().catch(() => null)
    if (over) return
    if (reading && reading.frames_decoded > 0) looksDecoded += 1
    if (reading && reading.audio_packets_received > 0 && reading.video_packets_received === 0)
      looksVoice += 1
    const enough = asked?.requestVideoFrameCallback ? LOOKS_FOR_PAINT : 1
    if (looksDecoded >= enough || looksVoice >= LOOKS_FOR_VOICE) return settle()
    forgetLook = clock.after(LOOK_EVERY_MS, look)
  }

  return stop
}

import type { LinkReading } from './link-reading.ts'
import type { Clock } from '../ports.ts'

export interface FirstFrameParts {
  clock: Clock
  /** Where the partner is shown, or null while nothing is on screen. */
  element(): HTMLVideoElement | null
  hasFrame(): boolean
  /** May reject when the connection is gone. */
  read(): Promise<LinkReading>
  onFrame(): void
}

/** Painting is told by the browser; looking is for what is never painted, and reading statistics takes from the start itself. */
const LOOK_EVERY_MS = 250
/** A hidden tab decodes and never paints; after this many looks with a decoded frame, decoded is as good as it gets. */
const LOOKS_FOR_PAINT = 2
/** A partner whose camera is off sends a voice and not one packet of a picture; this long, and he counts as met. */
const LOOKS_FOR_VOICE = 20

/**
 * Tells once when the first frame of the partner was decoded and painted. The one video element has shown others before, so a
 * painted frame only counts when this connection decoded one. The answer stops the watch.
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

import type { LinkReading } from './link-reading.ts'
import type { EngineClock, PagePort } from '../ports.ts'

export interface FirstFrameParts {
  clock: EngineClock
  page: PagePort
  /** The element that shows the partner. Null while there is no element. */
  element(): HTMLVideoElement | null
  hasFrame(): boolean
  /** May reject when the connection is closed. */
  read(): Promise<LinkReading>
  /** A frame was decoded and is about to be painted: a screen that covers the picture can be removed. Called at most once. */
  onDecoded(): void
  onFrame(): void
}

/**
 * The browser reports painting. Polling covers frames that are never painted. Polls are rare, because reading
 * statistics delays the start.
 */
const LOOK_EVERY_MS = 250
/** This look reads no statistics. */
const LOOK_FOR_DECODED_MS = 30
/** A partner whose camera is off sends only sound. After this number of polls the partner counts as connected. */
const LOOKS_FOR_VOICE = 8

/**
 * Calls `onFrame` once, when the partner's first frame was decoded and painted. The video element has shown other
 * partners before, so a painted frame counts only if this connection has decoded a frame. Without paint (a hidden tab,
 * no element, no callback) a decoded frame is enough. Returns the function that stops watching.
 */
export function watchFirstFrame(parts: FirstFrameParts): () => void {
  const { clock, page, element, hasFrame, read, onDecoded, onFrame } = parts
  let over = false
  let looksVoice = 0
  let asked: HTMLVideoElement | null = null
  let request = 0
  let forgetLook = clock.after(LOOK_EVERY_MS, look)
  let forgetDecoded = clock.after(LOOK_FOR_DECODED_MS, lookForDecoded)
  askForPaint()

  function stop() {
    over = true
    forgetLook()
    forgetDecoded()
    asked?.cancelVideoFrameCallback?.(request)
  }

  function settle() {
    if (over) return
    stop()
    onFrame()
  }

  function lookForDecoded() {
    if (hasFrame()) return onDecoded()
    forgetDecoded = clock.after(LOOK_FOR_DECODED_MS, lookForDecoded)
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

  function isPainted(): boolean {
    return asked !== null && 'requestVideoFrameCallback' in asked && page.isPainted(asked)
  }

  async function look() {
    askForPaint()
    const reading = await read().catch(() => null)
    if (over) return
    if (reading && reading.audio_packets_received > 0 && reading.video_packets_received === 0)
      looksVoice += 1
    const isDecodedUnseen = reading !== null && reading.frames_decoded > 0 && !isPainted()
    if (isDecodedUnseen || looksVoice >= LOOKS_FOR_VOICE) return settle()
    forgetLook = clock.after(LOOK_EVERY_MS, look)
  }

  return stop
}

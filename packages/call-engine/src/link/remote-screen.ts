import type { RtcPort } from '../ports.ts'

/**
 * Shows the partner: one stream in one video element for the life of the page. Partners are added and removed as tracks, so that
 * no new element has to start for each of them.
 */
export class RemoteScreen {
  readonly stream: MediaStream
  #element: HTMLVideoElement | null = null
  #onBlocked: (blocked: boolean) => void

  constructor(rtc: RtcPort, onBlocked: (blocked: boolean) => void) {
    this.stream = rtc.newStream()
    this.#onBlocked = onBlocked
  }

  element(): HTMLVideoElement | null {
    return this.#element
  }

  /** Shows the stream in this element. Returns the function that detaches it; a later element replaces an earlier one. */
  attach(element: HTMLVideoElement): () => void {
    this.#element = element
    element.autoplay = true
    element.playsInline = true
    element.srcObject = this.stream
    return () => {
      if (this.#element !== element) return
      this.#element = null
      element.srcObject = null
    }
  }

  put(track: MediaStreamTrack): void {
    this.stream.addTrack(track)
    void this.play()
  }

  clear(): void {
    for (const track of this.stream.getTracks()) this.stream.removeTrack(track)
  }

  /** Browsers may refuse sound until the person touches the page; called again from such a touch it succeeds. */
  async play(): Promise<void> {
    try {
      await this.#element?.play()
      this.#onBlocked(false)
    } catch (error) {
      // Any other failure means that tracks changed while it was starting; `autoplay` starts the next ones.
      if ((error as Partial<Error>).name === 'NotAllowedError') this.#onBlocked(true)
    }
  }
}

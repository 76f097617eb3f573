import type { RtcPort } from '../ports.ts'

/**
 * Shows every partner in one video element for the life of the page, because a new element would have to start first.
 * Each partner has a new stream: with a new stream the element drops the last frame of the former partner.
 */
export class RemoteScreen {
  #rtc: RtcPort
  #stream: MediaStream
  #element: HTMLVideoElement | null = null
  #onBlocked: (blocked: boolean) => void

  constructor(rtc: RtcPort, onBlocked: (blocked: boolean) => void) {
    this.#rtc = rtc
    this.#stream = rtc.newStream()
    this.#onBlocked = onBlocked
  }

  get stream(): MediaStream {
    return this.#stream
  }

  element(): HTMLVideoElement | null {
    return this.#element
  }

  /**
   * Shows the stream in this element. A later element replaces an earlier element. Returns the function that detaches
   * the element.
   */
  attach(element: HTMLVideoElement): () => void {
    if (this.#element && this.#element !== element) this.#element.srcObject = null
    this.#element = element
    element.autoplay = true
    element.playsInline = true
    element.srcObject = this.#stream
    return () => {
      if (this.#element === element) this.#element = null
      element.srcObject = null
    }
  }

  put(track: MediaStreamTrack): void {
    this.#stream.addTrack(track)
    void this.play()
  }

  /** The element gets the next stream while it is empty: attached with tracks, it would start more slowly. */
  clear(): void {
    for (const track of this.#stream.getTracks()) this.#stream.removeTrack(track)
    this.#stream = this.#rtc.newStream()
    if (this.#element) this.#element.srcObject = this.#stream
  }

  /** Browsers may refuse sound until the user touches the page. A call from such a touch succeeds. */
  async play(): Promise<void> {
    try {
      await this.#element?.play()
      this.#onBlocked(false)
    } catch (error) {
      // Any other failure means that tracks changed during the start. `autoplay` starts the next tracks.
      if ((error as Partial<Error>).name === 'NotAllowedError') this.#onBlocked(true)
    }
  }
}

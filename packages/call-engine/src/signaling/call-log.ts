import type { SignalingPort } from './signaling-port.ts'

/** The server accepts 60 lines a minute. More lines of a call would add nothing. */
const LINES_PER_CALL = 40
const LINE_CHARACTERS = 1000

/** Warnings about a call for its quality record at the server. */
export class CallLog {
  #signaling: SignalingPort
  #lines = 0

  constructor(signaling: SignalingPort) {
    this.#signaling = signaling
  }

  /** Another call begins. */
  begin(): void {
    this.#lines = 0
  }

  warn(text: string): void {
    this.#lines += 1
    if (this.#lines <= LINES_PER_CALL)
      this.#signaling.log({ level: 'warn', text: text.slice(0, LINE_CHARACTERS) })
  }
}

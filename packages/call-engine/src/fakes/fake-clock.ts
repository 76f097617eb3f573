import type { EngineClock } from '../ports.ts'

/** Time that passes only when the test advances the clock. */
export class FakeEngineClock implements EngineClock {
  #now_ms = 0
  #due: { at_ms: number; run: () => void }[] = []

  now_ms(): number {
    return this.#now_ms
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { at_ms: this.#now_ms + delayMs, run }
    this.#due.push(entry)
    return () => {
      this.#due = this.#due.filter((each) => each !== entry)
    }
  }

  /** Runs the due timers in order, and lets promises settle after each timer. */
  async pass(durationMs: number): Promise<void> {
    const untilMs = this.#now_ms + durationMs
    for (let next = this.#next(untilMs); next; next = this.#next(untilMs)) {
      this.#due = this.#due.filter((each) => each !== next)
      this.#now_ms = Math.max(this.#now_ms, next.at_ms)
      next.run()
      await settled()
    }
    this.#now_ms = untilMs
    await settled()
  }

  /** The computer sleeps: a timer that falls due during the sleep runs when time passes again. */
  sleep(durationMs: number): void {
    this.#now_ms += durationMs
  }

  #next(untilMs: number) {
    return this.#due.filter(({ at_ms }) => at_ms <= untilMs).sort((a, b) => a.at_ms - b.at_ms)[0]
  }
}

/** A turn of the event loop: every promise that can settle by itself has settled. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}

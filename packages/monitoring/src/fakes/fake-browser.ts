import type { MonitoringEnvironment } from '../environment.ts'
import type { StatsVerdict } from '../issue-judge.ts'

interface SentCall {
  readonly name: string
  readonly headers: Record<string, string>
  readonly body: Record<string, unknown>
}

interface GivenAnswer {
  readonly status: number
  readonly body: object
}

/** A track whose end the test decides. */
export function fakeTrack(id: string) {
  const state: { readyState: MediaStreamTrackState } = { readyState: 'live' }
  return Object.assign(new EventTarget(), { id, kind: 'video', muted: false, ...state })
}

/** A connection that the test controls and that carries nothing. */
export class FakePeerConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new'
  iceConnectionState: RTCIceConnectionState = 'new'
  iceGatheringState = 'new'
  signalingState = 'stable'
  stats = new Map<string, object>()

  asBrowser(): RTCPeerConnection {
    return this as unknown as RTCPeerConnection
  }

  become(state: RTCPeerConnectionState): void {
    this.connectionState = state
    this.dispatch('connectionstatechange')
  }

  dispatch(type: string, fields: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), fields))
  }

  getTransceivers(): object[] {
    return []
  }

  getStats() {
    return Promise.resolve(this.stats)
  }
}

/** A browser and a collector: the test moves the clock and decides the answers. */
export class FakeCollector {
  readonly sent: SentCall[] = []
  verdict: StatsVerdict = { issues: [], score: undefined }
  /** Every call is answered with this status. */
  down: number | undefined
  #now_ms = 0
  #timers = new Set<{ at_ms: number; run: () => void }>()
  #answers = new Map<string, Promise<GivenAnswer>>()

  readonly environment: MonitoringEnvironment = {
    isBrowser: true,
    fetch: (url, init) => this.#fetch(String(url), init!),
    RTCPeerConnection: FakePeerConnection,
    RTCIceGatherer: undefined,
    hasGetUserMedia: true,
    clock: { now_ms: () => this.#now_ms, after: (delayMs, run) => this.#after(delayMs, run) },
    describeDevice: async () => ({ platform: { browser: 'Fake' }, constraints: [], devices: [] }),
    createJudge: () => () => this.verdict,
    watchPage: () => () => {},
    newId: () => 'new-id',
    debug: () => {},
  }

  find(name: string): SentCall | undefined {
    return this.sent.find((call) => call.name === name)
  }

  list(name: string): SentCall[] {
    return this.sent.filter((call) => call.name === name)
  }

  answerNext(name: string, body: object): void {
    this.#answers.set(name, Promise.resolve({ status: 200, body }))
  }

  refuseNext(name: string, status: number, errorCode: string): void {
    this.#answers.set(name, Promise.resolve({ status, body: { error_code: errorCode } }))
  }

  /** The next call of this name is answered when the test calls the returned function. */
  holdNext(name: string): (body: object) => void {
    const { promise, resolve } = Promise.withResolvers<GivenAnswer>()
    this.#answers.set(name, promise)
    return (body) => resolve({ status: 200, body })
  }

  /** Moves the clock; each timer runs at its time. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#now_ms + ms
    for (;;) {
      await this.settle()
      const [next] = [...this.#timers].toSorted((one, other) => one.at_ms - other.at_ms)
      if (!next || next.at_ms > untilMs) break
      this.#now_ms = next.at_ms
      this.#timers.delete(next)
      next.run()
    }
    this.#now_ms = untilMs
    await this.settle()
  }

  /** Lets every promise go on that waits for nothing else. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  }

  #after(delayMs: number, run: () => void): () => void {
    const timer = { at_ms: this.#now_ms + delayMs, run }
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }

  async #fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
    const name = `${method} ${url.split('/').at(-1)}`
    this.sent.push({
      name,
      headers: headers as Record<string, string>,
      body: JSON.parse(String(body)) as Record<string, unknown>,
    })
    const given = this.#answers.get(name)
    this.#answers.delete(name)
    const { status, body: answer } = (await given) ?? { status: this.down ?? 200, body: {} }
    return new Response(JSON.stringify(answer), { status })
  }
}

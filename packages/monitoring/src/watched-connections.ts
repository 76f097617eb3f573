import { EventQueue, type DatedRequest } from './event-queue.ts'
import type { MonitoringClock } from './environment.ts'
import type { NetworkScore, StatsJudge } from './issue-judge.ts'
import { WatchedConnection, type WatchedEvent } from './watched-connection.ts'

/** How often the states of connections and the ends of tracks are checked. */
const CHECK_INTERVAL_MS = 1000
/** A smaller change of the score is no news. */
const SCORE_STEP = 0.5

/** A connection with what is known of it. */
export interface Watched {
  readonly connection: WatchedConnection
  readonly judge: StatsJudge
  /** Holds the events of the connection until the collector has confirmed it. */
  readonly queue: EventQueue
  /** As the collector names it. */
  id: string
  is_confirmed: boolean
  score: NetworkScore
  is_reading: boolean
}

interface WatchParts {
  readonly clock: MonitoringClock
  readonly stats_ms: number
  readonly createJudge: () => StatsJudge
  readonly send: (request: DatedRequest) => void
  /** False while nothing is sent: then no statistics are read. */
  readonly isNeeded: () => boolean
  readonly onFailed: (error: unknown) => void
}

/** The connections that are watched. Their timers run while there is one. */
export class WatchedConnections {
  stats_ms: number
  #parts: WatchParts
  #watched = new Set<Watched>()
  #cancels: (() => void)[] = []

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.stats_ms = parts.stats_ms
  }

  /** @throws a sentence if the connection is watched already */
  add({ pc, peer_id, id }: { pc: RTCPeerConnection; peer_id: string; id: string }): Watched {
    for (const known of this.listPeer(peer_id)) {
      if (known.connection.pc.connectionState === 'closed') this.remove(known)
      else if (known.connection.pc === pc)
        throw new Error(`We are already monitoring peer with id ${peer_id}.`)
    }
    if (this.find({ connectionId: id }))
      throw new Error(`We are already monitoring connection with id ${id}.`)
    const { createJudge, send } = this.#parts
    const watched: Watched = {
      connection: new WatchedConnection({
        pc,
        peer_id,
        onEvent: (event) => this.#report(watched, event),
      }),
      judge: createJudge(),
      queue: new EventQueue((request) => send(request)),
      id,
      is_confirmed: false,
      score: {},
      is_reading: false,
    }
    this.#watched.add(watched)
    watched.connection.start()
    if (this.#watched.size === 1) this.#start()
    return watched
  }

  /** The collector knows the connection, perhaps under another id. What was held is sent now. */
  confirm(watched: Watched, id = watched.id): void {
    watched.id = id
    watched.is_confirmed = true
    watched.queue.open()
  }

  find({
    connectionId,
    pc,
  }: {
    connectionId?: string
    pc?: RTCPeerConnection
  }): Watched | undefined {
    return [...this.#watched].find(({ id, connection }) =>
      connectionId ? id === connectionId : connection.pc === pc,
    )
  }

  listPeer(peerId: string): Watched[] {
    return [...this.#watched].filter(({ connection }) => connection.peer_id === peerId)
  }

  remove(watched: Watched): void {
    watched.connection.stop()
    this.#watched.delete(watched)
    if (this.#watched.size > 0) return
    for (const cancel of this.#cancels.splice(0)) cancel()
  }

  clear(): void {
    for (const watched of this.#watched) this.remove(watched)
  }

  #start(): void {
    this.#every(
      () => CHECK_INTERVAL_MS,
      () => this.#check(),
    )
    this.#every(
      () => this.stats_ms,
      () => this.#readAll(),
    )
  }

  #every(intervalMs: () => number, run: () => void): void {
    const at = this.#cancels.length
    const next = () =>
      this.#parts.clock.after(intervalMs(), () => {
        this.#cancels[at] = next()
        run()
      })
    this.#cancels.push(next())
  }

  /** A connection that is closed is removed, and its end is reported. */
  #check(): void {
    for (const watched of this.#watched) {
      watched.connection.checkTracks()
      if (!watched.connection.is_closed) continue
      watched.connection.reportClosed()
      this.remove(watched)
    }
  }

  #readAll(): void {
    if (!this.#parts.isNeeded()) return
    for (const watched of this.#watched) {
      if (watched.is_reading || !watched.is_confirmed || watched.connection.is_closed) continue
      watched.is_reading = true
      this.#read(watched)
        .catch((error: unknown) => this.#parts.onFailed(error))
        .finally(() => (watched.is_reading = false))
    }
  }

  async #read(watched: Watched): Promise<void> {
    const startedMs = this.#parts.clock.now_ms()
    const stats = await watched.connection.readStats()
    // The connection may have been removed meanwhile.
    if (!this.#watched.has(watched)) return
    const nowMs = this.#parts.clock.now_ms()
    const { issues, score } = watched.judge(stats)
    this.#add(watched, 'stats', { data: stats, timeTaken: nowMs - startedMs }, { isRepeated: true })
    for (const issue of issues) this.#add(watched, 'webrtc-issue', { issue })
    if (!score || !isNews(watched.score, score)) return
    watched.score = score
    this.#add(watched, 'webrtc-score', { score })
  }

  #report(watched: Watched, event: WatchedEvent): void {
    const isTrack = event.call === 'track'
    const isFirst = isTrack && event.body.event === 'ontrack'
    const extra = isTrack ? ({ isRepeated: true, method: isFirst ? 'POST' : 'PUT' } as const) : {}
    this.#add(watched, event.call, event.body, extra)
  }

  /** The id of the connection is read when the event is sent: until then it may change. */
  #add(
    watched: Watched,
    call: string,
    body: object,
    extra: Pick<DatedRequest, 'isRepeated' | 'method'> = {},
  ): void {
    watched.queue.add({
      call,
      body: {
        ...body,
        get connectionId() {
          return watched.id
        },
      },
      at_ms: this.#parts.clock.now_ms(),
      ...extra,
    })
  }
}

function isNews(before: NetworkScore, now: NetworkScore): boolean {
  return (['inbound', 'outbound'] as const).some((way) => {
    const [earlier, later] = [before[way], now[way]]
    return later !== undefined && (earlier === undefined || Math.abs(later - earlier) >= SCORE_STEP)
  })
}

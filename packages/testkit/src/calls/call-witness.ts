import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'

interface WitnessedPage {
  readonly side: Role
}
interface WitnessedReport {
  /** Before it was sent, and after it was certainly received: the time of the server's clock lies between. */
  readonly sent_ms: number
  heard_ms: number
  readonly good: boolean
  /** The number of the server process that it was sent to. */
  readonly life: number
}
interface WitnessedLeave {
  readonly side: Role
  readonly life: number
}
interface Stretch {
  from_ms: number
  to_ms: number
  life: number
}

/** When a page leaves, the last good report of the other page counts until its next report would be due. */
const REPORT_INTERVAL_MS = 2000
const FRAME_MS = 1000

/**
 * Observes both pages of every call and computes the most joint time that their own reports can confirm, without the code
 * of the meter.
 */
export class CallWitness {
  life = 1
  readonly #patienceMs: number
  readonly #calls = new Map<number, Record<Role, WitnessedReport[]>>()
  readonly #leaves = new Map<number, WitnessedLeave[]>()

  /** A stretch ends after this long without a report (`meter_no_report`, `meter_no_frames`). */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  /** A report is sent now; the returned function is called once it was certainly received, at the latest at the end of this server process. */
  says({ side }: WitnessedPage, session_id: number, good: boolean): () => void {
    const call = this.#calls.get(session_id) ?? { guy: [], girl: [] }
    this.#calls.set(session_id, call)
    const said: WitnessedReport = { sent_ms: Date.now(), heard_ms: Infinity, good, life: this.life }
    call[side].push(said)
    return () => (said.heard_ms = Math.min(said.heard_ms, Date.now()))
  }

  /** This page leaves the call now, after its last report. */
  leaves({ side }: WitnessedPage, session_id: number): void {
    const left = this.#leaves.get(session_id) ?? []
    this.#leaves.set(session_id, [...left, { side, life: this.life }])
  }

  /** This server process has ended: it received every report by now, or never. */
  endOfLife(): void {
    const nowMs = Date.now()
    for (const call of this.#calls.values())
      for (const said of [...call.guy, ...call.girl]) said.heard_ms = Math.min(said.heard_ms, nowMs)
    this.life += 1
  }

  /** The longest joint good time of a call with this server process. */
  thisLife(): number {
    return Math.max(
      0,
      ...[...this.#calls.keys()].map((session_id) => this.jointly(session_id, this.life).most_ms),
    )
  }

  /** The most joint good time of a call, in milliseconds, and with how many server processes there was any. */
  jointly(session_id: number, inLife?: number): { most_ms: number; lives: number } {
    const { guy, girl } = this.#calls.get(session_id) ?? { guy: [], girl: [] }
    const nowMs = Date.now()
    const lives = new Set<number>()
    let mostMs = 0
    const stretches = { guy: this.#stretches(guy), girl: this.#stretches(girl) }
    for (const left of this.#leaves.get(session_id) ?? [])
      extendPartner(left, stretches, this.#calls.get(session_id))
    for (const his of stretches.guy) {
      for (const hers of stretches.girl) {
        if (his.life !== hers.life || (inLife !== undefined && his.life !== inLife)) continue
        const jointMs = Math.min(his.to_ms, hers.to_ms, nowMs) - Math.max(his.from_ms, hers.from_ms)
        if (jointMs <= 0) continue
        lives.add(his.life)
        mostMs += jointMs
      }
    }
    return { most_ms: mostMs, lives: lives.size }
  }

  #stretches(all: readonly WitnessedReport[]): Stretch[] {
    const stretches: Stretch[] = []
    for (const said of all.filter(({ good }) => good)) {
      const last = stretches.at(-1)
      const goesOn = last?.life === said.life && said.sent_ms - last.to_ms < this.#patienceMs
      if (goesOn) last.to_ms = Math.max(last.to_ms, said.heard_ms)
      else stretches.push({ from_ms: said.sent_ms, to_ms: said.heard_ms, life: said.life })
    }
    return stretches
  }
}

/** The most that the rules allow at a leave: one interval, no longer than the leaving page itself proved. */
function extendPartner(
  { side, life }: WitnessedLeave,
  stretches: Readonly<Record<Role, Stretch[]>>,
  reports?: Readonly<Record<Role, WitnessedReport[]>>,
): void {
  const partner = otherRole(side)
  const own = stretches[side].findLast((stretch) => stretch.life === life)
  const theirs = stretches[partner].findLast((stretch) => stretch.life === life)
  const last = reports?.[partner].findLast((said) => said.life === life)
  if (!own || !theirs || !last || theirs.to_ms >= own.to_ms) return
  // Reports without a new frame deny only after the time between two frames.
  if (last.sent_ms - theirs.to_ms > FRAME_MS) return
  theirs.to_ms = Math.min(theirs.to_ms + REPORT_INTERVAL_MS, own.to_ms)
}

import type { Role } from '@duet/protocol/kernel/roles.ts'

interface Speaker {
  readonly side: Role
}
interface Said {
  /** Before it left, and after it was surely heard: what the server's own clock says lies between. */
  readonly sent_ms: number
  heard_ms: number
  readonly good: boolean
  /** Which life of the server it was said to. */
  readonly life: number
}
type Stretch = { from_ms: number; to_ms: number; life: number }

/**
 * Who watches both pages of every call and knows how much joint time their own words can bear out at the most, without
 * any of the meter's code.
 */
export class Witness {
  life = 1
  readonly #patience_ms: number
  readonly #calls = new Map<number, Record<Role, Said[]>>()

  /** Silence of so long breaks a stretch (`meter_no_report`, `meter_no_frames`). */
  constructor(patience_ms: number) {
    this.#patience_ms = patience_ms
  }

  /** A report leaves now; answers what to call when it was surely heard. Until then it may be heard as late as this life ends. */
  says({ side }: Speaker, session_id: number, good: boolean): () => void {
    const call = this.#calls.get(session_id) ?? { guy: [], girl: [] }
    this.#calls.set(session_id, call)
    const said: Said = { sent_ms: Date.now(), heard_ms: Infinity, good, life: this.life }
    call[side].push(said)
    return () => (said.heard_ms = Math.min(said.heard_ms, Date.now()))
  }

  /** This life of the server is over: what was said to it was heard by now or never. */
  endOfLife(): void {
    const now_ms = Date.now()
    for (const call of this.#calls.values())
      for (const said of [...call.guy, ...call.girl])
        said.heard_ms = Math.min(said.heard_ms, now_ms)
    this.life += 1
  }

  /** The longest joint good time that some call has had in this life of the server. */
  thisLife(): number {
    return Math.max(
      0,
      ...[...this.#calls.keys()].map((session_id) => this.jointly(session_id, this.life).most_ms),
    )
  }

  /** The most joint good time of a call, in milliseconds, and in how many lives of the server there was any. */
  jointly(session_id: number, in_life?: number): { most_ms: number; lives: number } {
    const { guy, girl } = this.#calls.get(session_id) ?? { guy: [], girl: [] }
    const now_ms = Date.now()
    const lives = new Set<number>()
    let most_ms = 0
    for (const his of this.#stretches(guy)) {
      for (const hers of this.#stretches(girl)) {
        if (his.life !== hers.life || (in_life !== undefined && his.life !== in_life)) continue
        const joint_ms =
          Math.min(his.to_ms, hers.to_ms, now_ms) - Math.max(his.from_ms, hers.from_ms)
        if (joint_ms <= 0) continue
        lives.add(his.life)
        most_ms += joint_ms
      }
    }
    return { most_ms, lives: lives.size }
  }

  #stretches(all: readonly Said[]): Stretch[] {
    const stretches: Stretch[] = []
    for (const said of all.filter(({ good }) => good)) {
      const last = stretches.at(-1)
      const goesOn = last?.life === said.life && said.sent_ms - last.to_ms < this.#patience_ms
      if (goesOn) last.to_ms = Math.max(last.to_ms, said.heard_ms)
      else stretches.push({ from_ms: said.sent_ms, to_ms: said.heard_ms, life: said.life })
    }
    return stretches
  }
}

import type { AppContext } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import { setNewest } from '../../../lib/bounded-map.ts'

/** A read takes at most this share of the time, however long it lasts. */
const READ_SHARE = 1 / 20
const KEYS_MAX = 100

interface LastRead<Value> {
  readonly value: Promise<Value>
  nextMs: number
}

interface SharedRead<Value> {
  /** The last read of this key, or a new one. Until a read has ended, all wait for it. After an error the next caller reads again. */
  get(context: AppContext, key: string, read: () => Promise<Value>): Promise<Value>
  /** The next caller reads again. */
  drop(context: AppContext): void
}

/** A read whose answer is the same for all who ask: all callers of this server process share it for `everyMs`. */
export function sharedRead<Value>(name: string, everyMs: number): SharedRead<Value> {
  const lastReads = perApp(
    name,
    'the last read, which is read again',
    () => new Map<string, LastRead<Value>>(),
  )
  return {
    get(context, key, read) {
      const reads = lastReads(context)
      const nowMs = () => context.clock.now().epochMilliseconds
      const begunMs = nowMs()
      const known = reads.get(key)
      if (known && begunMs < known.nextMs) return known.value
      const last: LastRead<Value> = { value: read(), nextMs: Number.POSITIVE_INFINITY }
      setNewest(reads, key, last, KEYS_MAX)
      last.value.then(
        () => (last.nextMs = begunMs + Math.max(everyMs, (nowMs() - begunMs) / READ_SHARE)),
        () => reads.get(key) === last && reads.delete(key),
      )
      return last.value
    },
    drop: (context) => lastReads(context).clear(),
  }
}

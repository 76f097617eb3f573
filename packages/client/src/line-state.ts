import type { EventName, Payload } from '@duet/protocol'
import type { AuthSuccess } from './identity.ts'
import { listeners } from './listeners.ts'
import { keptRight } from './own-record.ts'
import { NoAnswerError } from './call-errors.ts'

/** More than this many actions do not wait for a line that is gone. */
const waiting_actions = 200

export type Phase = 'connecting' | 'ready' | 'offline' | 'other_tab' | 'closed'

export interface Snapshot {
  readonly phase: Phase
  /** What the last AUTH answered; kept while offline so that the screen stays. */
  readonly auth?: AuthSuccess
}

type Heard = { [E in EventName]: Payload<E> } & {
  snapshot: Snapshot
  /** Everything fetched so far is too old. */
  reset: undefined
  /** Another identity than before answered AUTH: caches of the former one go. */
  identity: AuthSuccess
}

/** Where the line stands and who it speaks for, told to whoever listens. */
export function lineState() {
  const hears = listeners<Heard>()
  let snapshot: Snapshot = { phase: 'connecting' }
  let waiting: (() => void)[] = []

  function become(next: Snapshot): void {
    snapshot = next
    hears.tell('snapshot', next)
    if (next.phase === 'closed') waiting = []
    if (next.phase === 'ready') for (const go of waiting.splice(0)) go()
  }

  return {
    hears,
    get: () => snapshot,
    become,
    /** The own record first, so that whoever hears the event already reads it right. */
    tell(event: string, payload: unknown): void {
      const { auth: kept } = snapshot
      const next = kept && keptRight(kept, event, payload)
      if (next !== kept) become({ ...snapshot, auth: next })
      hears.tell(event as EventName, payload as never)
    },
    /** Resolves once AUTH has answered. */
    whenReady(): Promise<void> {
      if (snapshot.phase === 'ready') return Promise.resolve()
      if (waiting.length >= waiting_actions) return Promise.reject(new NoAnswerError('connect'))
      return new Promise((resolve) => waiting.push(resolve))
    },
    patchUser(change: Partial<AuthSuccess['user']>): void {
      const { auth: kept } = snapshot
      if (kept) become({ ...snapshot, auth: { ...kept, user: { ...kept.user, ...change } } })
    },
  }
}

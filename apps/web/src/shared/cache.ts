import type { ModuleName, Payload, UserInterlocutor, Wire } from '@duet/protocol'
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** What an event may do to what was fetched: pure steps over the cache, so that state plus events equals state fetched again. */
export interface Cache {
  /** Changes what is kept under every key that begins like this; what was never fetched stays unfetched. */
  patch<Kept>(key: QueryKey, change: (kept: Kept) => Kept): void
  /** Somebody changed: everywhere he stands, in lists and alone. */
  person(user_id: number, change: Partial<UserInterlocutor>): void
  /** Fetched anew when it is next looked at. */
  forget(key: QueryKey): void
}

type EventsOf<Module extends ModuleName> = Wire[Module]['events']

/** A feature's `apply.ts`: event → cache. */
export type Apply<Module extends ModuleName> = {
  [E in keyof EventsOf<Module>]?: (
    cache: Cache,
    payload: Payload<E & Parameters<typeof payloadOf>[0]>,
  ) => void
}
declare function payloadOf(event: keyof { [M in ModuleName as keyof EventsOf<M>]: true }): void

export function cacheOf(client: QueryClient): Cache {
  return {
    patch: (key, change) => {
      client.setQueriesData({ queryKey: key }, (kept: never) =>
        kept === undefined ? undefined : change(kept),
      )
    },
    person: (user_id, change) => {
      client.setQueriesData({}, (kept: unknown) => withPerson(kept, user_id, change))
    },
    forget: (key) => void client.invalidateQueries({ queryKey: key }),
  }
}

/** The same value where nobody changed, a copy where somebody did. */
export function withPerson(
  kept: unknown,
  user_id: number,
  change: Partial<UserInterlocutor>,
): unknown {
  if (typeof kept !== 'object' || kept === null) return kept
  if (Array.isArray(kept)) {
    const next = kept.map((one) => withPerson(one, user_id, change))
    return next.some((one, index) => one !== kept[index]) ? next : kept
  }
  let next = kept
  for (const [key, value] of Object.entries(kept)) {
    const changed = withPerson(value, user_id, change)
    if (changed !== value) next = { ...next, [key]: changed }
  }
  const isHim = 'id' in kept && kept.id === user_id && 'nick' in kept && 'sub_status' in kept
  return isHim ? { ...next, ...change } : next
}

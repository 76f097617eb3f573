import type { Ack } from '@duet/protocol'

type ChangesPage = Ack<'GET_CHANGES'>

export interface ChangeTrackerOptions {
  readonly fetchSince: (changeId: number) => Promise<ChangesPage>
  readonly apply: (event: string, payload: unknown) => void
  /** The client is too far behind to catch up: everything must be fetched again. */
  readonly reset: () => void
}

/** The place of a durable event in the reader's change log; undefined for a transient one. */
export function changeIdOf(payload: unknown): number | undefined {
  const hasId = typeof payload === 'object' && payload !== null && 'change_id' in payload
  return hasId && typeof payload.change_id === 'number' ? payload.change_id : undefined
}

/** Applies each change once and in order, whatever the connection loses, repeats or delays. */
export function createChangeTracker(options: ChangeTrackerOptions) {
  let last = 0
  let fetching: Promise<void> | undefined

  async function fetchAll(): Promise<void> {
    for (;;) {
      const page = await options.fetchSince(last)
      if (page.reset) {
        last = page.changes.at(-1)?.change_id ?? last
        options.reset()
        return
      }
      for (const change of page.changes) apply(change.change_id, change.event, change.payload)
      if (!page.next) return
    }
  }

  function apply(changeId: number, event: string, payload: unknown): void {
    if (changeId <= last) return
    last = changeId
    options.apply(event, payload)
  }

  const tracker = {
    /** State was fetched at this head: the changes before it are already in it. */
    begin(head: number): void {
      last = head
    },
    /** After a reconnect: fetches everything between the last applied change and the head. */
    async resume(head: number): Promise<void> {
      if (head > last) await tracker.catchUp()
      else if (head < last) {
        // The server lost changes that this client has, after a restored backup. The server's numbers hold.
        last = head
        options.reset()
      }
    },
    /** A change arrived by event; a gap before it is fetched. */
    receive(changeId: number, event: string, payload: unknown): void {
      if (changeId > last + 1 || fetching) void tracker.catchUp().catch(() => {})
      else apply(changeId, event, payload)
    },
    catchUp(): Promise<void> {
      return (fetching ??= fetchAll().finally(() => {
        fetching = undefined
      }))
    },
    get last() {
      return last
    },
  }
  return tracker
}

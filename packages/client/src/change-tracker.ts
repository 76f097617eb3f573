/** One change as GET_CHANGES gives it. */
export interface Change {
  readonly change_id: number
  readonly event: string
  readonly payload: unknown
}

export interface ChangesPage {
  readonly changes: readonly Change[]
  readonly next: boolean
  readonly reset: boolean
}

export interface ChangeTrackerOptions {
  readonly fetchSince: (change_id: number) => Promise<ChangesPage>
  readonly apply: (event: string, payload: unknown) => void
  /** Too old to catch up: everything is fetched anew. */
  readonly reset: () => void
}

/** Keeps "what I have applied" without gaps and without repeats, whatever the line loses or says twice. */
export function changeTracker(options: ChangeTrackerOptions) {
  let last = 0
  let catching: Promise<void> | undefined

  async function catchUp(): Promise<void> {
    for (;;) {
      const page = await options.fetchSince(last)
      if (page.reset) {
        last = page.changes.at(-1)?.change_id ?? last
        options.reset()
        return
      }
      for (const change of page.changes) take(change.change_id, change.event, change.payload)
      if (!page.next) return
    }
  }

  function take(change_id: number, event: string, payload: unknown): void {
    if (change_id <= last) return
    last = change_id
    options.apply(event, payload)
  }

  const tracker = {
    /** State was fetched at this head: what came before needs no applying. */
    begin(head: number): void {
      last = head
    },
    /** After a reconnect: everything between what was applied and the head. */
    async resume(head: number): Promise<void> {
      if (head > last) await tracker.catchUp()
      else if (head < last) {
        // The server lost what we had: a restored backup. Its numbers are the right ones.
        last = head
        options.reset()
      }
    },
    heard(change_id: number, event: string, payload: unknown): void {
      if (change_id > last + 1 || catching) void tracker.catchUp().catch(() => {})
      else take(change_id, event, payload)
    },
    catchUp(): Promise<void> {
      return (catching ??= catchUp().finally(() => {
        catching = undefined
      }))
    },
    get last() {
      return last
    },
  }
  return tracker
}

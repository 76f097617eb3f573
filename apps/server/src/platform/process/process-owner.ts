import pg from 'pg'
import { msBetween, plusMs, type Clock } from '../../lib/clock.ts'
import type { Pool } from '../../core/db.ts'
import type { ProcessOwner } from '../../core/process-owner.ts'
import {
  deleteOldOwners,
  deleteOwner,
  insertOwner,
  latestLeaseOfOthers,
  OWNER_LOCK_CLASS,
  renewLease,
} from './process-store.ts'

const LEASE_MS = 15_000
const RENEW_MS = 5_000
const RELOCK_MS = 1_000
/** Well below LEASE_MS: with that difference one process takes the lease of the other for over while it is not. */
const CLOCK_AHEAD_MAX_MS = 2_000
const OLD_OWNERS_MS = 86_400_000

interface OwnerOptions {
  readonly db: Pool
  readonly connection: pg.ClientConfig
  readonly clock: Clock
  readonly log: { warn(context: object, message: string): void }
}

export function createProcessOwner({ db, connection, clock, log }: OwnerOptions): ProcessOwner {
  let id: number | undefined
  let client: pg.Client | undefined
  let isOver = false
  const cancels = new Set<() => void>()

  async function lock(): Promise<void> {
    if (isOver) return
    const opened = await openLocked(connection, id, (ended) => {
      if (client !== ended) return
      client = undefined
      relockLater()
    })
    // The owner may have ended while the connection opened.
    if (isOver) await opened.end()
    else client = opened
  }

  function relockLater(): void {
    if (isOver) return
    const cancel = clock.at(plusMs(clock.now(), RELOCK_MS), () => {
      cancels.delete(cancel)
      lock().catch((error: unknown) => {
        log.warn({ err: error }, 'the lock of this process owner could not be taken again')
        relockLater()
      })
    })
    cancels.add(cancel)
  }

  const compareClocks = createClockComparison({ db, clock, log })

  const renew = oneAtATime(
    async () => {
      await renewLease(db, id!, { now: clock.now(), until: plusMs(clock.now(), LEASE_MS) })
      await compareClocks(id!)
    },
    (error) => log.warn({ err: error }, 'the lease of this process owner could not be renewed'),
  )

  async function end(): Promise<void> {
    isOver = true
    for (const cancel of cancels) cancel()
    const open = client
    client = undefined
    await open?.end().catch(() => {})
  }

  return {
    get id() {
      if (id === undefined) throw new Error('The process owner is not started.')
      return id
    },
    async start() {
      await deleteOldOwners(db, plusMs(clock.now(), -OLD_OWNERS_MS))
      id = await insertOwner(db, { now: clock.now(), until: plusMs(clock.now(), LEASE_MS) })
      await compareClocks(id)
      await lock()
      cancels.add(clock.every(RENEW_MS, renew))
    },
    async stop() {
      await end()
      if (id !== undefined) await deleteOwner(db, id)
    },
    kill: end,
  }
}

/**
 * If a lease ends later than a lease that begins now, its process has a clock that is ahead. That process
 * does not notice, so each process looks for clocks ahead of its own. A larger difference is reported
 * again.
 */
function createClockComparison({ db, clock, log }: Pick<OwnerOptions, 'db' | 'clock' | 'log'>) {
  let warnedMs = 0
  return async (owner_id: number): Promise<void> => {
    const latest = await latestLeaseOfOthers(db, owner_id)
    if (!latest) return
    const aheadMs = msBetween(plusMs(clock.now(), LEASE_MS), latest)
    if (aheadMs <= Math.max(CLOCK_AHEAD_MAX_MS, 2 * warnedMs)) return
    warnedMs = aheadMs
    log.warn(
      { ahead_ms: aheadMs },
      'the clock of another server process of this database is ahead: synchronise the clocks',
    )
  }
}

/** Skips a run while the former run has not ended, so that runs do not pile up at a slow database. */
function oneAtATime(run: () => Promise<void>, report: (error: unknown) => void): () => void {
  let isRunning = false
  return () => {
    if (isRunning) return
    isRunning = true
    run()
      .catch(report)
      .finally(() => (isRunning = false))
  }
}

/** Opens a connection that holds the lock of the process owner until it ends. */
async function openLocked(
  connection: pg.ClientConfig,
  id: number | undefined,
  onEnd: (ended: pg.Client) => void,
): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'duet process owner' })
  client.on('error', () => {})
  client.on('end', () => onEnd(client))
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1, $2)', [OWNER_LOCK_CLASS, id])
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
  return client
}

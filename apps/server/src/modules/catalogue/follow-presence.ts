import type { App } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { UserId } from '../../core/ids.ts'
import { plusMs } from '../../lib/clock.ts'
import { isDraining } from '../../platform/draining.ts'
import { type OnlineChange, onOnlineChange } from '../presence/index.ts'
import { setAllOffline, setOnline } from './store.ts'

/** Changes are collected for this long and stored by one statement: after a restart all girls come at once. */
const COLLECT_MS = 250
const GIRLS_IN_STATEMENT_MAX = 1000

const pendingChanges = perApp(
  'catalogue: girls who came or left',
  'changes of a quarter of a second that are not stored yet; girls connect again after a restart',
  () => new Map<UserId, boolean>(),
)

/** Keeps the rows of the catalogue current with who is online, until the returned function is called. */
export async function followPresence(app: App): Promise<() => void> {
  await setAllOffline(app.db, app.clock.now())
  return onOnlineChange(app, (change) => collect(app, change))
}

function collect(app: App, { user_id, role, is_online }: OnlineChange): void {
  if (role !== 'girl') return
  // The next server process has her connection, or finds her offline.
  if (!is_online && isDraining(app)) return
  const pending = pendingChanges(app)
  pending.set(user_id, is_online)
  if (pending.size === 1) storeSoon(app)
}

function storeSoon(app: App): void {
  app.clock.at(plusMs(app.clock.now(), COLLECT_MS), () =>
    app.background('storing who is online', storeChanges(app)),
  )
}

async function storeChanges(app: App): Promise<void> {
  const pending = pendingChanges(app)
  const changes = new Map([...pending].slice(0, GIRLS_IN_STATEMENT_MAX))
  for (const id of changes.keys()) pending.delete(id)
  if (pending.size > 0) storeSoon(app)
  try {
    await setOnline(app.db, app.clock.now(), changes)
  } catch (error) {
    for (const [id, isOnline] of changes) if (!pending.has(id)) pending.set(id, isOnline)
    if (pending.size > 0) storeSoon(app)
    throw error
  }
}

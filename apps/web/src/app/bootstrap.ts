import type { FeatureContext } from '../shared/feature.ts'
import { onChunkFailure } from '../shared/lazy-screen.ts'
import { clearPeople } from '../shared/people.ts'
import { storeSoundSettingIn } from '../shared/sound.ts'
import { otherTabTookOver } from '../shared/takeover.ts'
import { clearOutage, showOutage } from './errors/outage.ts'
import { routeEvents } from './event-routing.ts'
import { features } from './features.ts'

/** Starts the features and the connection, and everything that listens to it for the life of the page. */
export function bootstrap(context: FeatureContext): void {
  const { connection, persistence, queries } = context
  storeSoundSettingIn(persistence)
  onChunkFailure(() => showOutage(navigator.onLine ? 'chunk_failure' : 'no_network'))
  addEventListener('vite:preloadError', () => showOutage('chunk_failure'))
  applyDeviceLimits()
  routeEvents(connection, features, context)
  for (const { start } of features) start?.(context)
  connection.on('identity', () => {
    // One account must not read what another fetched: visible data is fetched again, the rest is removed.
    clearPeople()
    queries.removeQueries({ type: 'inactive' })
    void queries.resetQueries()
  })
  connection.on('reset', () => void queries.invalidateQueries())
  connection.on('snapshot', ({ phase }) => {
    if (phase === 'other_tab') otherTabTookOver()
    if (phase === 'ready') clearOutage('no_network')
  })
  addEventListener('online', () => {
    if (connection.getSnapshot().phase === 'offline') connection.reconnectNow()
  })
  connection.start()
}

const LOW_MEMORY_GB = 4

/** With little memory glass is painted solid, because blurring moving content costs frames. */
function applyDeviceLimits(): void {
  const memoryGb = 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : undefined
  if (memoryGb !== undefined && memoryGb <= LOW_MEMORY_GB)
    document.documentElement.dataset.lean = ''
}

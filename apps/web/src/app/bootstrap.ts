import { refusalBehind, type ClientConnection } from '@duet/client'
import type { FeatureContext, EventHandler, Feature } from '../shared/feature.ts'
import { onChunkFailure } from '../shared/lazy-screen.ts'
import { followAccount } from '../shared/account/account-store.ts'
import { followNumberStyle } from '../shared/queries.ts'
import { storeSoundSettingIn } from '../shared/sound.ts'
import { otherTabTookOver } from '../shared/connection/takeover.ts'
import { clearPassingOutage, showOutage } from './errors/outage.ts'
import { features } from './features.ts'
import { renewMediaAddresses } from './media-addresses.ts'
import type { EventName } from '@duet/protocol'

/** Starts the features, the connection, and the listeners of the connection that live as long as the page. */
export function bootstrap(context: FeatureContext): void {
  const { connection, persistence, queries } = context
  storeSoundSettingIn(persistence)
  // If a part did not load without a network, a reload would lose the page.
  const showChunkFailure = () => showOutage(navigator.onLine ? 'chunk_failure' : 'no_network')
  onChunkFailure(showChunkFailure)
  addEventListener('vite:preloadError', showChunkFailure)
  applyDeviceLimits()
  routeEvents(connection, features, context)
  for (const { start } of features) start?.(context)
  followNumberStyle(queries, connection)
  renewMediaAddresses(connection)
  followAccount(connection)
  connection.on('identity', () => {
    // An account must not read data that another account fetched. Visible data is fetched again, other data is removed.
    queries.removeQueries({ type: 'inactive' })
    void queries.resetQueries()
  })
  connection.on('reset', () => void queries.invalidateQueries())
  connection.on('snapshot', ({ phase }) => {
    if (phase === 'other_tab') otherTabTookOver()
    if (phase === 'ready') clearPassingOutage()
  })
  reportRefusedConnection(context)
  wakeWithPage(connection)
  connection.start()
}

/** Reports a refused AUTH once, not at every attempt. A page that is too old cannot continue. */
export function reportRefusedConnection({
  connection,
  report,
}: Pick<FeatureContext, 'connection' | 'report'>): void {
  let reported: string | undefined
  connection.on('snapshot', ({ phase, problem }) => {
    if (phase === 'ready') reported = undefined
    const error = refusalBehind(problem)
    if (!error || error.refusal === reported) return
    reported = error.refusal
    report(error)
  })
}

/** After a sleep a dead socket shows only at the next ping. Waking the connection checks the socket at once. */
export function wakeWithPage(connection: Pick<FeatureContext['connection'], 'wake'>): void {
  const wake = () => connection.wake()
  addEventListener('online', wake)
  addEventListener('pageshow', wake)
  document.addEventListener('resume', wake)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake()
  })
}

const LOW_MEMORY_GB = 4

/** With little memory glass is painted solid, because blurring moving content costs frames. */
function applyDeviceLimits(): void {
  const memoryGb = 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : undefined
  if (memoryGb !== undefined && memoryGb <= LOW_MEMORY_GB)
    document.documentElement.dataset.lean = ''
}

/** Connects each event of the server with the feature that handles the event. */
export function routeEvents(
  connection: Pick<ClientConnection, 'on'>,
  features: readonly Feature[],
  context: FeatureContext,
): void {
  for (const { events = {} } of features)
    for (const [name, handler] of Object.entries(events))
      connection.on(name as EventName, (payload) =>
        (handler as EventHandler<EventName>)(payload as never, context),
      )
}

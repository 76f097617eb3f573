import type { ClientConnection } from '@duet/client'
import type { EventName } from '@duet/protocol'
import type { EventHandler, Feature, FeatureContext } from '../shared/feature.ts'

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

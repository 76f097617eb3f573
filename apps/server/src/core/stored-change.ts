import type { EventName, Payload } from '@duet/protocol'

/**
 * Durable events that the change log holds in another form than they are sent in: ids, from which the payload is rendered for its
 * reader. A module that renders an event adds its stored form here, by augmenting this interface.
 */
export interface StoredChanges {}

/** The form in which a command notifies an event and the change log holds it. */
export type StoredChange<E extends EventName> = E extends keyof StoredChanges
  ? StoredChanges[E]
  : Payload<E>

import type { EventName, Payload } from '@duet/protocol'

/**
 * The stored forms of durable events whose stored and sent forms differ. A stored form has ids, from which
 * the payload is rendered for its reader. A module that renders an event augments this interface with its
 * stored form.
 */
export interface StoredChanges {}

/** The form in which a command notifies an event and the change log holds it. */
export type StoredChange<E extends EventName> = E extends keyof StoredChanges
  ? StoredChanges[E]
  : Payload<E>

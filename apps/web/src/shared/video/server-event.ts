import type { EventName, Payload } from '@duet/protocol'

/** An event of the server as reducers receive it: the name and the payload of the wire, and the time of arrival on this device. */
export type ServerEvent<E extends EventName> = {
  [Name in E]: { type: Name; payload: Payload<Name>; at_ms: number }
}[E]

import type { ClientConnection } from '@duet/client'
import type { EventName, ModuleName, Payload, Wire } from '@duet/protocol'

/** An event of the server as reducers receive it: the name and the payload of the wire, and the time of arrival on this device. */
export type ServerEvent<E extends EventName> = {
  [Name in E]: { type: Name; payload: Payload<Name>; at_ms: number }
}[E]

export type ModuleEvent<Module extends ModuleName> = {
  [Name in Module]: keyof Wire[Name]['events'] & EventName
}[Module]

interface Typed {
  readonly type: string
}

/** A reducer for each type of event. A type without a reducer does not compile. */
export type ReducerMap<State, Event extends Typed> = {
  readonly [Type in Event['type']]: (state: State, event: Extract<Event, { type: Type }>) => State
}

/** Applies the reducer that the map has for the type of the event. */
export function reduceBy<State, Event extends Typed>(
  reducers: ReducerMap<State, Event>,
  state: State,
  event: Event,
): State {
  const reduce = reducers[event.type as Event['type']] as (state: State, event: Event) => State
  return reduce(state, event)
}

/** Subscribes to every event of a reducer map. `takeMissedEvents` returns the events from before the map was loaded. */
export function subscribeToEvents<Reducers extends { readonly [Name in EventName]?: unknown }>(
  connection: Pick<ClientConnection, 'on'>,
  reducers: Reducers,
  apply: (event: ServerEvent<keyof Reducers & EventName>) => void,
): void {
  for (const type of Object.keys(reducers) as EventName[])
    connection.on(type, (payload) =>
      apply({ type, payload, at_ms: Date.now() } as unknown as Parameters<typeof apply>[0]),
    )
}

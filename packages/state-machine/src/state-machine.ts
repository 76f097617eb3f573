/** Every event and command has the name of its type. */
export interface Tagged {
  readonly type: string
}

/** The decision about an event: the new state, and the commands to execute, in this order. */
export interface Decision<State, Command extends Tagged> {
  readonly state: State
  readonly commands: readonly Command[]
}

/**
 * The rules of a state machine: pure, without input or output. `state` is not changed. A decision without a
 * change returns the same object, so that the caller can skip a write. `now` is the only time that the
 * rules use.
 */
export type Decide<State, Event extends Tagged, Command extends Tagged> = (
  state: State,
  event: Event,
  now: Temporal.Instant,
) => Decision<State, Command>

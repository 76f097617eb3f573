import { useSyncExternalStore } from 'react'

/** A value that changes over time. Every client state outside of React has this shape, so `useStore` reads all of them. */
export interface Observable<Snapshot> {
  /** The same object until something changed. */
  getSnapshot(): Snapshot
  /** Calls the listener after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
}

export interface Store<State> extends Observable<State> {
  /** Replaces the state. An identical value notifies no listener. */
  set(next: State): void
  /** Replaces the state by a state that is computed from it. */
  update(change: (current: State) => State): void
}

/**
 * The only store primitive of the web client. If a listener throws, the error is reported and the other listeners still
 * run: a broken screen must not keep a call from ending.
 */
export function createStore<State>(initial: State): Store<State> {
  let state = initial
  const listeners = new Set<() => void>()

  function set(next: State): void {
    if (Object.is(state, next)) return
    state = next
    for (const listener of [...listeners]) {
      try {
        listener()
      } catch (error) {
        reportError(error)
      }
    }
  }

  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    set,
    update: (change) => set(change(state)),
  }
}

/**
 * The current state, or the part that the selector returns. A selector must return the same value for the same state.
 */
export function useStore<State>(store: Observable<State>): State
export function useStore<State, Selected>(
  store: Observable<State>,
  select: (state: State) => Selected,
): Selected
export function useStore<State>(
  { subscribe, getSnapshot }: Observable<State>,
  select: (state: State) => unknown = (state) => state,
): unknown {
  const getSelected = () => select(getSnapshot())
  return useSyncExternalStore(subscribe, getSelected, getSelected)
}

const never = () => () => {}

/** False while the page is prerendered and hydrated, then true: for parts that the prerendered page does not have. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

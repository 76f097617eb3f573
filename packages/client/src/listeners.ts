/** A typed list of listeners. A listener that throws is reported and does not stop the others. */
export interface Listeners<Events extends Record<string, unknown>> {
  /** Returns the function that removes the listener. */
  on<K extends keyof Events>(name: K, listener: (payload: Events[K]) => void): () => void
  /** Returns whether anything listened. */
  publish<K extends keyof Events>(name: K, payload: Events[K]): boolean
}

export function createListeners<Events extends Record<string, unknown>>(): Listeners<Events> {
  const lists = new Map<keyof Events, Set<(payload: never) => void>>()
  return {
    on(name, listener) {
      const list = lists.get(name) ?? new Set()
      lists.set(name, list.add(listener))
      return () => list.delete(listener)
    },
    publish(name, payload) {
      const list = lists.get(name) ?? new Set()
      for (const listener of list) {
        try {
          listener(payload as never)
        } catch (error) {
          reportError?.(error)
        }
      }
      return list.size > 0
    },
  }
}

/** A typed list of listeners; a listener that throws does not keep the others from hearing. */
export interface Listeners<Heard extends Record<string, unknown>> {
  on<K extends keyof Heard>(name: K, listener: (said: Heard[K]) => void): () => void
  tell<K extends keyof Heard>(name: K, said: Heard[K]): void
}

export function listeners<Heard extends Record<string, unknown>>(): Listeners<Heard> {
  const lists = new Map<keyof Heard, Set<(said: never) => void>>()
  return {
    on(name, listener) {
      const list = lists.get(name) ?? new Set()
      lists.set(name, list.add(listener))
      return () => list.delete(listener)
    },
    tell(name, said) {
      for (const listener of lists.get(name) ?? []) {
        try {
          listener(said as never)
        } catch (error) {
          reportError?.(error)
        }
      }
    },
  }
}

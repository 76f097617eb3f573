type GoTo = (path: string) => void

let mounted: GoTo | undefined

/** Opens a page from outside of React: the action of a toast. Without effect before the application is mounted. */
export function goTo(path: string): void {
  mounted?.(path)
}

/** Connects the router. Returns the disconnect function. */
export function mountGoTo(navigate: GoTo): () => void {
  mounted = navigate
  return () => {
    mounted = undefined
  }
}

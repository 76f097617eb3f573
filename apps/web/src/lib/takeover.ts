const releases = new Set<() => void>()

/** Hears that another tab took over, before its dialog is shown: release camera and microphone here. Returns how to stop hearing. */
export function onTakeover(release: () => void): () => void {
  releases.add(release)
  return () => releases.delete(release)
}

/** Another tab is the active one now. */
export function takeOver(): void {
  for (const release of releases) release()
}

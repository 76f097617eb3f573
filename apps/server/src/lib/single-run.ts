/** Runs `work`, or joins the run that is not over yet: work that takes longer than its period never runs twice at a time. */
export function singleRun(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () =>
    (running ??= work().finally(() => {
      running = undefined
    }))
}

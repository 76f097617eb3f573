import { lazy, type ComponentType } from 'react'
import { whileLoading } from './loading.ts'

/** A part of the application that did not come within this is not coming. */
export const chunk_timeout_ms = 120_000

/** Told when a part could not be loaded: a new version was deployed, or the network is gone. */
let failed: () => void = () => {}
export function onChunkFailure(listener: () => void): void {
  failed = listener
}

/** Loads a part of the application; a failure or a time-out offers to load the page anew. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('A part of the application did not load in time')),
      chunk_timeout_ms,
    )
  })
  try {
    return await whileLoading(Promise.race([load(), late]))
  } catch (error) {
    failed()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A component that is loaded when it is first shown: `lazyScreen(() => import('./x.tsx'), (module) => module.X)`. */
export function lazyScreen<Module, Props>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
) {
  return lazy(async () => ({ default: pick(await loadChunk(load)) }))
}

import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { whileLoading } from './controls/loading.ts'

const CHUNK_TIMEOUT_MS = 120_000

let reportFailure: () => void = () => {}

/** Sets the reaction to a part that cannot be loaded: a new version was deployed, or the network is down. */
export function onChunkFailure(listener: () => void): void {
  reportFailure = listener
}

/** Loads a part of the application. A failure or a timeout offers to reload the page. */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('A part of the application did not load in time')),
      CHUNK_TIMEOUT_MS,
    )
  })
  try {
    return await whileLoading(Promise.race([load(), late]))
  } catch (error) {
    reportFailure()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Each function makes a screen that failed to load ready for another attempt. */
const failedScreens = new Set<() => void>()

/** Lets every screen that failed to load be loaded again at its next mount. Called once its error has been shown. */
export function retryFailedScreens(): void {
  const retries = [...failedScreens]
  failedScreens.clear()
  for (const retry of retries) retry()
}

/** A screen in a file of its own. */
export type LazyScreen<Props> = FunctionComponent<Props> & {
  /** Loads the file, so that React shows the screen at once. React delays a screen that waited by up to 300 ms. */
  readonly preload: () => Promise<void>
}

/**
 * A component that is loaded when it is first shown, with the texts that it needs (`build/screen-texts-plugin.ts`):
 * `lazyScreen(() => import('./x.tsx'), (module) => module.X)`.
 */
export function lazyScreen<Module, Props>(
  load: () => Promise<Module>,
  pick: (module: Module) => ComponentType<Props>,
): LazyScreen<Props> {
  const create = (): ComponentType<object> =>
    lazy(async () => {
      try {
        const module = await loadChunk(load)
        return { default: pick(module) as ComponentType<object> }
      } catch (error) {
        failedScreens.add(() => {
          current = create()
        })
        throw error
      }
    })
  // React keeps the failure of a lazy component for the life of the page: another attempt needs another one.
  let current = create()
  function Screen(props: Props) {
    const [shown] = useState(() => current)
    return createElement(shown, props as object)
  }
  return Object.assign(Screen, {
    async preload() {
      current = pick(await load()) as ComponentType<object>
    },
  })
}

/** Loads screens that a first click is likely to show. */
export async function preloadScreens(
  screens: Readonly<Record<string, Pick<LazyScreen<never>, 'preload'>>>,
): Promise<void> {
  await Promise.all(Object.values(screens).map(({ preload }) => preload()))
}

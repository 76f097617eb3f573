import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Ends this process like `process.exit`, which alone may wait without an end: it joins the threads that
 * compile, and such a thread may be waiting for a garbage collection of the main thread
 * (https://github.com/nodejs/node/issues/54918). The collection comes first here, so that no thread waits.
 */
export function exitProcess(code: number): never {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  process.exit(code)
}

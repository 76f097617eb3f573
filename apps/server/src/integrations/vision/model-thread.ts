import { Worker } from 'node:worker_threads'
import { createSemaphore } from '../../lib/semaphore.ts'

export interface ThreadLimits {
  /** The file of the thread. A test gives a file that ends or does not answer. */
  readonly worker: string
  readonly waiting_max: number
  readonly answer_ms: number
  /** Without a picture for this long the thread ends, and its memory is free. Absent: it stays. */
  readonly idle_ms?: number
}

/**
 * No answer for a picture. `busy`: too many wait. `unavailable`: no thread could start, so this says nothing about the picture.
 * `failed`: two threads ended or took too long with it.
 */
export type NoAnswer = 'busy' | 'unavailable' | 'failed'

const ATTEMPTS_MAX = 2
/** A machine under load takes long to load a model. */
const START_LIMIT_MS = 60_000
/** Of the JavaScript of the thread. The model itself is in WebAssembly, whose need is the same for every picture. */
const HEAP_MEGABYTES = 128

/**
 * Gives one picture at a time to a thread with a model. The thread starts with the first picture, and again after it
 * has ended. If a picture was lost with the thread, the thread gets it once more.
 */
export function createModelThread<Picture, Answer extends object>({
  worker: file,
  waiting_max,
  answer_ms,
  idle_ms,
}: ThreadLimits): (picture: Picture) => Promise<Answer | NoAnswer> {
  const semaphore = createSemaphore({ at_once: 1, waiting_max })
  let running: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  async function started(): Promise<Worker | undefined> {
    const worker = new Worker(file, {
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
      // Libraries print, and their lines do not belong into the server's log.
      stdout: true,
      stderr: true,
    })
    // An error of the thread is its end; without a listener it would be one of the server.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (running === worker) running = undefined
    })
    running = worker
    return (await findAnswer<{ ready: true }>(worker, START_LIMIT_MS)) && worker
  }

  async function attempt(picture: Picture): Promise<Answer | 'unavailable' | undefined> {
    clearTimeout(idle)
    const worker = running ?? (await started())
    if (worker === undefined) return 'unavailable'
    // An idle thread does not keep the server process alive.
    worker.ref()
    worker.postMessage(picture)
    const answer = await findAnswer<Answer>(worker, answer_ms)
    worker.unref()
    if (idle_ms !== undefined) idle = setTimeout(() => end(worker), idle_ms).unref()
    return answer
  }

  /** A picture that comes while the thread ends gets a new thread. */
  function end(worker: Worker): void {
    if (running === worker) running = undefined
    void worker.terminate()
  }

  async function ask(picture: Picture): Promise<Answer | 'unavailable' | 'failed'> {
    let isUnavailable = false
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const answer = await attempt(picture)
      if (answer !== 'unavailable' && answer !== undefined) return answer
      isUnavailable ||= answer === 'unavailable'
    }
    return isUnavailable ? 'unavailable' : 'failed'
  }

  return async (picture) => semaphore.run(() => ask(picture)) ?? 'busy'
}

/** The next message of a thread; undefined when it ends first, or is ended because it takes too long. */
async function findAnswer<Answer>(worker: Worker, limitMs: number): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const timer = setTimeout(() => void worker.terminate(), limitMs)
  const onMessage = (answer: Answer) => resolve(answer)
  const onEnd = () => resolve(undefined)
  worker.once('message', onMessage).once('exit', onEnd)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker.off('message', onMessage).off('exit', onEnd)
  }
}

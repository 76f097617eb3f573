import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { Judgement, PictureJudge } from './vision.ts'

export interface WorkerLimits {
  /** The file of the thread. A test gives a file that ends or does not answer. */
  readonly worker: string
  readonly waiting_max: number
  readonly answer_ms: number
}

const ATTEMPTS_MAX = 2
/** A machine under load takes long to load a model. */
const START_LIMIT_MS = 60_000
/** Of the JavaScript of the thread. The model itself is in WebAssembly, whose need is the same for every picture. */
const HEAP_MEGABYTES = 128
const LIMITS: WorkerLimits = {
  worker: join(import.meta.dirname, 'vision-worker.ts'),
  waiting_max: 50,
  answer_ms: 15_000,
}

/**
 * Judges one picture at a time in a thread. The thread starts with the first picture, and again after it
 * has ended. If a picture was lost with the thread, it is judged once more.
 */
export function createWorkerJudge(limits: Partial<WorkerLimits> = {}): PictureJudge {
  const { worker: file, waiting_max, answer_ms } = { ...LIMITS, ...limits }
  const semaphore = createSemaphore({ at_once: 1, waiting_max })
  let running: Worker | undefined

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

  async function attempt(sample: Uint8Array): Promise<Judgement | undefined> {
    const worker = running ?? (await started())
    if (worker === undefined) return undefined
    // An idle thread does not keep the server process alive.
    worker.ref()
    worker.postMessage(sample)
    const answer = await findAnswer<{ judgement: Judgement }>(worker, answer_ms)
    worker.unref()
    return answer?.judgement
  }

  async function judge(sample: Uint8Array): Promise<Judgement | 'failed'> {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const judgement = await attempt(sample)
      if (judgement) return judgement
    }
    return 'failed'
  }

  return { judge: async (sample) => semaphore.run(() => judge(sample)) ?? 'busy' }
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

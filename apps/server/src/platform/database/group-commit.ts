import { AsyncLocalStorage } from 'node:async_hooks'
import { assert } from '../../lib/assert.ts'

const FLUSHES_MAX = 2
/** SQLSTATE classes of statements that failed because of one of their rows and had no effect. */
const ROW_AT_FAULT = new Set(['22', '23', 'P0'])

/** The queue is full; the caller may try again later. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

export interface GroupCommit<In, Out> {
  /** Resolves after the commit that contains the item, with its own answer. @throws Overloaded, its own error, or the flush's */
  submit(item: In): Promise<Out>
  /** The number of items that wait for a flush. */
  readonly queued: number
  /** Resolves when no item waits and no flush is running. */
  settled(): Promise<void>
}

export interface GroupCommitOptions<In, Out> {
  /** Commits all items and returns their answers in the same order; an Error among them rejects only its own caller. */
  flush: (items: In[]) => Promise<(Out | Error)[]>
  max_batch: number
  max_queue: number
  /**
   * A second flush starts only after the running flush has taken this long: larger batches cost less for
   * each item.
   */
  second_flush_after_ms?: number
}

interface QueuedItem<In, Out> {
  item: In
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

/**
 * One commit for many callers: an item that arrives during a flush joins the next flush. At most two
 * flushes run at a time. Without `second_flush_after_ms` the second flush starts at once, and a single
 * caller never waits for others. With it, callers wait for the running flush at most that long, and share
 * larger batches.
 *
 * If one row makes a flush fail (SQLSTATE classes 22, 23, P0), the items are flushed one by one. So an
 * error rejects only the caller of its own item.
 */
export function groupCommit<In, Out>({
  flush,
  max_batch,
  max_queue,
  second_flush_after_ms = 0,
}: GroupCommitOptions<In, Out>): GroupCommit<In, Out> {
  const queue: QueuedItem<In, Out>[] = []
  const flushing = new Set<Promise<void>>()
  // A flush serves many callers, so it must not run in the async context (transaction, request id) of the
  // first caller.
  const outsideContext = AsyncLocalStorage.snapshot()
  let isScheduled = false
  let lastBeganMs = 0
  let timer: NodeJS.Timeout | undefined

  /** Whether the next flush may start; if only time is missing, it is tried again then. */
  function mayStart(): boolean {
    if (flushing.size === 0) return true
    if (flushing.size >= FLUSHES_MAX) return false
    const waitMs = lastBeganMs + second_flush_after_ms - performance.now()
    if (waitMs <= 0) return true
    timer ??= setTimeout(startFlushes, waitMs)
    return false
  }

  function startFlushes(): void {
    isScheduled = false
    clearTimeout(timer)
    timer = undefined
    while (queue.length > 0 && mayStart()) {
      lastBeganMs = performance.now()
      const batch = queue.splice(0, max_batch)
      const running = flushBatch(batch, flush).then(() => {
        flushing.delete(running)
        startFlushes()
      })
      flushing.add(running)
    }
  }

  return {
    submit(item) {
      if (queue.length >= max_queue)
        return Promise.reject(new Overloaded(`${max_queue} are waiting already`))
      const { promise, resolve, reject } = Promise.withResolvers<Out>()
      queue.push({ item, resolve, reject })
      if (!isScheduled) {
        isScheduled = true
        // Callers of the same iteration of the event loop share a flush.
        outsideContext(() => queueMicrotask(startFlushes))
      }
      return promise
    },
    get queued() {
      return queue.length
    },
    async settled() {
      while (isScheduled || flushing.size > 0) await Promise.all([...flushing, Promise.resolve()])
    },
  }
}

/**
 * Submits all items of one iteration of the event loop together at its end, because packets of many sockets
 * are read in one iteration. `everyMs` is the minimum time between two submissions.
 */
export function groupPerTick<In, Out>(
  group: GroupCommit<In, Out>,
  everyMs: number,
): (item: In) => Promise<Out> {
  let waiting: { item: In; resolve: (result: Promise<Out>) => void }[] = []
  let lastSentMs = -everyMs
  const submitAll = () => {
    const batch = waiting
    waiting = []
    lastSentMs = performance.now()
    for (const { item, resolve } of batch) resolve(group.submit(item))
  }
  return (item) => {
    const { promise, resolve } = Promise.withResolvers<Out>()
    if (waiting.push({ item, resolve }) > 1) return promise
    const waitMs = lastSentMs + everyMs - performance.now()
    if (waitMs > 0) setTimeout(submitAll, waitMs)
    else setImmediate(submitAll)
    return promise
  }
}

async function flushBatch<In, Out>(
  batch: QueuedItem<In, Out>[],
  flush: GroupCommitOptions<In, Out>['flush'],
): Promise<void> {
  try {
    const answers = await flush(batch.map(({ item }) => item))
    assert(answers.length === batch.length, 'a flush answers every item')
    batch.forEach(({ resolve, reject }, index) => {
      const answer = answers[index] as Out | Error
      if (answer instanceof Error) reject(answer)
      else resolve(answer)
    })
  } catch (error) {
    if (batch.length > 1 && isRowAtFault(error)) {
      for (const one of batch) await flushBatch([one], flush)
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}

function isRowAtFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.length === 5 && ROW_AT_FAULT.has(code.slice(0, 2))
}

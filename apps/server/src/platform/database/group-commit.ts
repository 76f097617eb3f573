import { AsyncLocalStorage } from 'node:async_hooks'
import { assert } from '../../lib/assert.ts'

const FLIGHTS_MAX = 2
/** Classes of SQLSTATE that say: this statement was refused for what one of its rows is, and nothing of it stays. */
const ROW_AT_FAULT = new Set(['22', '23', 'P0'])

/** The queue is full: a "no" that is meant for the caller, who may come again. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded'
}

export interface GroupCommit<In, Out> {
  /** Resolves after the commit that contains the item, with its own answer. @throws Overloaded, its own error, or the flush's */
  submit(item: In): Promise<Out>
  /** Items that wait for a flight. */
  readonly queued: number
  /** Resolves when nothing waits and nothing flies. */
  settled(): Promise<void>
}

export interface GroupCommitOptions<In, Out> {
  /** Commits all items and answers each in the same order; an Error in an item's place is thrown to its caller alone. */
  flush: (items: In[]) => Promise<(Out | Error)[]>
  max_batch: number
  max_queue: number
}

interface Waiting<In, Out> {
  item: In
  resolve: (out: Out) => void
  reject: (error: unknown) => void
}

/**
 * One commit for many callers: whoever comes while a flush is in flight joins the next one. Two flights at most and no
 * timer, so a lone caller waits for nobody and a crowd shares.
 *
 * When a row of a crowd is at fault (SQLSTATE classes 22, 23, P0), the items are flushed one by one, so that nobody
 * pays for a stranger's error.
 */
export function groupCommit<In, Out>({
  flush,
  max_batch,
  max_queue,
}: GroupCommitOptions<In, Out>): GroupCommit<In, Out> {
  const queue: Waiting<In, Out>[] = []
  const flying = new Set<Promise<void>>()
  // A flight serves strangers: it must not run in the context (transaction, request id) of the caller that set it off.
  const outside = AsyncLocalStorage.snapshot()
  let asked = false

  function depart(): void {
    asked = false
    while (queue.length > 0 && flying.size < FLIGHTS_MAX) {
      const batch = queue.splice(0, max_batch)
      const flight = fly(batch, flush).then(() => {
        flying.delete(flight)
        depart()
      })
      flying.add(flight)
    }
  }

  return {
    submit(item) {
      if (queue.length >= max_queue)
        return Promise.reject(new Overloaded(`${max_queue} are waiting already`))
      const { promise, resolve, reject } = Promise.withResolvers<Out>()
      queue.push({ item, resolve, reject })
      if (!asked) {
        asked = true
        // Callers of the same turn of the loop share a flight.
        outside(() => queueMicrotask(depart))
      }
      return promise
    },
    get queued() {
      return queue.length
    },
    async settled() {
      while (asked || flying.size > 0) await Promise.all([...flying, Promise.resolve()])
    },
  }
}

async function fly<In, Out>(
  batch: Waiting<In, Out>[],
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
      for (const one of batch) await fly([one], flush)
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}

function isRowAtFault(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && code.length === 5 && ROW_AT_FAULT.has(code.slice(0, 2))
}

import { deepEqual, equal, ok } from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as () => void

const watched = [
  Object,
  Array,
  Function,
  String,
  Number,
  Boolean,
  Map,
  Set,
  Promise,
  Error,
  RegExp,
  Date,
  Buffer,
]

/**
 * The state that no input may change: the language's own objects, and the memory within a bound.
 */
export class Watch {
  readonly #before = prototypes()
  #heap_bytes = 0

  /** From here on memory may not grow by more than the bound: caches and compiled code are there. */
  warm(): void {
    gc()
    this.#heap_bytes = process.memoryUsage().heapUsed
  }

  /** Answers the growth in MiB. */
  judge(maxMib: number): number {
    deepEqual(prototypes(), this.#before)
    equal(({} as { polluted?: unknown }).polluted, undefined)
    gc()
    const grownMib = (process.memoryUsage().heapUsed - this.#heap_bytes) / 1024 / 1024
    ok(grownMib <= maxMib, `memory grew by ${grownMib.toFixed(1)} MiB`)
    return grownMib
  }
}

function prototypes(): string[][] {
  return watched.map(({ prototype }) =>
    Reflect.ownKeys(prototype as object)
      .map(String)
      .toSorted(),
  )
}

import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { relative } from 'node:path'
import { loopDelayNotes, readLoopDelay, type LoopDelay } from './loop-delay.ts'
import { nothing, type TestFailure, type TestResult } from './result.ts'

/** Two cores: more processes only make every one of them slower. */
const CONCURRENCY = 2
const STDERR_LINES_SHOWN = 40
/** A run names this many of its files, those that took longest. */
const SLOW_FILES_SHOWN = 5

interface Options {
  root: string
  files: string[]
  file_limit_ms: number
  concurrency?: number
  signal: AbortSignal
}
type Progress = (line: string) => void

/** Runs node:test over the files, one process each, and counts every single test. */
export async function runNodeTests(
  options: Options,
  progress: Progress = () => {},
): Promise<TestResult> {
  if (options.files.length === 0) return nothing('no test files')
  const stream = run({
    files: options.files,
    concurrency: options.concurrency ?? CONCURRENCY,
    timeout: options.file_limit_ms,
    cwd: options.root,
    execArgv: ['--import', new URL('./fail-on-unhandled.ts', import.meta.url).href],
    signal: options.signal,
  })
  const book = new Book(options.root)
  for await (const event of stream) book.write(event, progress)
  return book.close(options.signal.aborted)
}

interface FileTime {
  file: string
  duration_ms: number
}

/** One line with the files that took longest; nothing for a single file. */
export function slowFileNotes(times: readonly FileTime[]): string[] {
  if (times.length < 2) return []
  const slowest = times.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, SLOW_FILES_SHOWN)
  const named = slowest.map(
    ({ file, duration_ms }) => `${file} ${(duration_ms / 1000).toFixed(1)} s`,
  )
  return [`slowest files: ${named.join(', ')}`]
}

/** Turns the runner's events into a result. */
class Book {
  readonly #root: string
  readonly #failures: TestFailure[] = []
  readonly #stderr = new Map<string, string[]>()
  readonly #delays: LoopDelay[] = []
  readonly #times: FileTime[] = []
  #passed = 0
  #skipped = 0

  constructor(root: string) {
    this.#root = root
  }

  write(event: TestEvent, progress: Progress): void {
    if (event.type === 'test:stderr') return this.#hear(event.data.file, event.data.message)
    if (event.type === 'test:summary') return this.#time(event.data.file, event.data.duration_ms)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return
    const { name, file, skip, todo } = event.data
    const where = file ? relative(this.#root, file) : ''
    if (event.type === 'test:pass') {
      if (event.data.details.type === 'suite') return
      if (skip !== undefined || todo !== undefined) this.#skipped += 1
      else this.#passed += 1
      return
    }
    const error = event.data.details.error as Error & { failureType?: string; cause?: unknown }
    // A suite or a parent test fails because of a child that is already in the book.
    if (error.failureType === 'subtestsFailed') return
    progress(`  ✗ ${where}: ${name}`)
    this.#failures.push({
      name: `${where}: ${name === file ? 'the file as a whole' : name}`,
      detail: this.#detail(error, name === file ? file : undefined),
    })
  }

  close(aborted: boolean): TestResult {
    const failures = [...this.#failures]
    if (aborted) failures.push({ name: 'the step', detail: 'stopped after its time limit' })
    return {
      passed: this.#passed,
      failed: failures.length,
      skipped: this.#skipped,
      failures,
      notes: [...slowFileNotes(this.#times), ...loopDelayNotes(this.#delays)],
    }
  }

  /** The runner sums up each file, and at last all of them without a file. */
  #time(file: string | undefined, durationMs: number): void {
    if (file !== undefined)
      this.#times.push({ file: relative(this.#root, file), duration_ms: durationMs })
  }

  #hear(file: string | undefined, message: string): void {
    for (const line of message.split('\n')) {
      const delay = readLoopDelay(line, relative(this.#root, file ?? ''))
      if (delay) {
        this.#delays.push(delay)
      } else if (line.trim() !== '') {
        const lines = this.#stderr.get(file ?? '') ?? []
        lines.push(line)
        this.#stderr.set(file ?? '', lines.slice(-STDERR_LINES_SHOWN))
      }
    }
  }

  #detail(error: Error & { cause?: unknown }, file: string | undefined): string {
    const said = file ? (this.#stderr.get(file) ?? []) : []
    const cause = error.cause ?? error
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
    return [text, ...said].join('\n')
  }
}

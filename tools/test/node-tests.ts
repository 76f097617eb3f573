import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { writeGroups } from './groups.ts'
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
  /** Several files share a process. They leave no change of the process behind: no variable, no listener. */
  in_groups?: boolean
  signal: AbortSignal
}
type TestPass = Extract<TestEvent, { type: 'test:pass' }>['data']
type Progress = (line: string) => void

/** Runs node:test over the files, one process for each or for a group, and counts every single test. */
export async function runNodeTests(
  options: Options,
  progress: Progress = () => {},
): Promise<TestResult> {
  if (options.files.length === 0) return nothing('no test files')
  if (!options.in_groups) return runFiles(options, progress)
  const folder = mkdtempSync(join(tmpdir(), 'duet-groups-'))
  try {
    return await runFiles(options, progress, writeGroups(folder, options))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function runFiles(
  options: Options,
  progress: Progress,
  groups?: ReadonlyMap<string, string>,
): Promise<TestResult> {
  const stream = run({
    files: groups ? [...groups.keys()] : options.files,
    concurrency: options.concurrency ?? CONCURRENCY,
    timeout: options.file_limit_ms,
    cwd: options.root,
    execArgv: ['--import', new URL('./fail-on-unhandled.ts', import.meta.url).href],
    signal: options.signal,
  })
  const book = new Book(options.root, groups)
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
  readonly #groups: ReadonlyMap<string, string> | undefined
  readonly #failures: TestFailure[] = []
  readonly #stderr = new Map<string, string[]>()
  readonly #delays: LoopDelay[] = []
  readonly #times: FileTime[] = []
  #passed = 0
  #skipped = 0

  constructor(root: string, groups?: ReadonlyMap<string, string>) {
    this.#root = root
    this.#groups = groups
  }

  write(event: TestEvent, progress: Progress): void {
    if (event.type === 'test:stderr') return this.#hear(event.data.file, event.data.message)
    if (event.type === 'test:summary') return this.#timeFile(event.data)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') return
    const { name, file, nesting, details } = event.data
    const isMember = file !== undefined && nesting === 0 && this.#groups?.has(file) === true
    if (isMember) this.#times.push({ file: name, duration_ms: details.duration_ms })
    if (event.type === 'test:pass') return this.#pass(event.data)
    const error = event.data.details.error as Error & { failureType?: string; cause?: unknown }
    // A suite or a parent test fails because of a child that is already in the book.
    if (error.failureType === 'subtestsFailed') return
    const where = isMember ? name : this.#place(file)
    const isWhole = isMember || name === file
    progress(`  ✗ ${where}: ${name}`)
    this.#failures.push({
      name: `${where}: ${isWhole ? 'the file as a whole' : name}`,
      detail: this.#detail(error, isWhole ? file : undefined),
    })
  }

  #pass({ details, skip, todo }: TestPass): void {
    if (details.type === 'suite') return
    if (skip !== undefined || todo !== undefined) this.#skipped += 1
    else this.#passed += 1
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

  /** The runner sums up each process, and at last all of them without a file. */
  #timeFile({ file, duration_ms }: { file?: string | undefined; duration_ms: number }): void {
    if (file !== undefined && !this.#groups?.has(file))
      this.#times.push({ file: this.#place(file), duration_ms })
  }

  #place(file: string | undefined): string {
    if (file === undefined) return ''
    return this.#groups?.get(file) ?? relative(this.#root, file)
  }

  #hear(file: string | undefined, message: string): void {
    for (const line of message.split('\n')) {
      const delay = readLoopDelay(line, this.#place(file))
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

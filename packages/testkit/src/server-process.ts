import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { askServer } from '@duet/server/platform/operator/shell-client.ts'

/** Enough for the whole output of a proof's server. */
const OUTPUT_CHARS_MAX = 8_000_000
const CUTTER = join(import.meta.dirname, '../../../tests/proof/cut-commits.ts')
const CUT_LINE = 'a commit was cut'
const main = join(import.meta.dirname, '../../../apps/server/src/main.ts')

/**
 * The real program on a folder of its own, started, killed and stopped as an operator would do it.
 */
export class ServerProcess {
  readonly data_dir: string
  readonly port: number
  readonly #env: Readonly<Record<string, string>>
  #child: ChildProcess | undefined
  /** The output since the last start. */
  said = ''
  starts = 0
  /** From the next start on, the connection to the database is cut after each n-th commit, before its answer. */
  cutsCommitsEvery: number | undefined

  constructor({
    data_dir,
    port,
    env = {},
  }: {
    data_dir: string
    port: number
    env?: Readonly<Record<string, string>>
  }) {
    this.data_dir = data_dir
    this.port = port
    this.#env = env
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Resolves when the server listens; rejects with its output when it ends before. */
  async start(): Promise<void> {
    this.starts += 1
    this.said = ''
    const cache = process.env.NODE_COMPILE_CACHE
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH!,
        NODE_ENV: 'test',
        DEMO: 'off',
        SECOND_PERSON: 'off',
        DATA_DIR: this.data_dir,
        PORT: String(this.port),
        SECRET_KEY: 'only-for-proofs-0123456789-abcdefghij',
        LOG_LEVEL: 'error',
        SOCKETS_PER_ADDRESS: '100000',
        ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }),
        ...this.#env,
        ...(this.cutsCommitsEvery !== undefined && {
          NODE_OPTIONS: `--import ${pathToFileURL(CUTTER).href}`,
          CUT_COMMITS_EVERY: String(this.cutsCommitsEvery),
        }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    await new Promise<void>((ready, fail) => {
      const hear = (piece: Buffer) => {
        this.said = `${this.said}${String(piece)}`.slice(-OUTPUT_CHARS_MAX)
        if (this.said.includes('serving at')) ready()
      }
      child.stderr.on('data', hear)
      child.stdout.on('data', hear)
      child.once('exit', (code) => fail(new Error(`the server ended with ${code}:\n${this.said}`)))
    })
  }

  /** How many commits since the last start were cut from their answer. */
  get cutCommits(): number {
    return this.said.split(CUT_LINE).length - 1
  }

  /** Whether the process ended without a request to end. */
  get hasFallen(): boolean {
    const child = this.#child
    return child !== undefined && (child.exitCode !== null || child.signalCode !== null)
  }

  /** Dies at once, and its database with it. */
  kill(): Promise<number | null> {
    return this.#end('SIGKILL')
  }

  /** As a supervisor stops it; answers its exit code. */
  terminate(): Promise<number | null> {
    return this.#end('SIGTERM')
  }

  /** The database dies alone; the server starts it again by itself. */
  async killDatabase(): Promise<void> {
    while (!this.hasFallen) {
      const text = await readFile(join(this.data_dir, 'db/postmaster.pid'), 'utf8').catch(() => '')
      try {
        // Without a number it would be ourselves.
        if (text !== '') return void process.kill(Number(text.split('\n')[0]), 'SIGKILL')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
      // Just dead, and about to be started again.
      await sleep(50)
    }
  }

  /** Runs a command of the operator's shell. */
  async duet<Answer = Record<string, unknown>>(...line: (string | number)[]): Promise<Answer> {
    const outcome = await askServer(this.data_dir, { line: line.map(String), cwd: this.data_dir })
    if (outcome?.exit_code !== 0)
      throw new Error(`duet ${line.join(' ')}: ${JSON.stringify(outcome)}`)
    return outcome.answer as Answer
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null
    const over = new Promise<number | null>((done) => child.once('exit', done))
    child.kill(signal)
    return over
  }
}

/**
 * A port that is free at this moment, and that the same process may use again after its restart.
 */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

/**
 * A folder that is removed at the end of the test, and that the database's own account may enter.
 */
export async function freshFolder(
  name: string,
): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), `duet-${name}-`))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

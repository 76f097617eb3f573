import { deepEqual } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createApp, type AppOptions, type RunningApp } from '@duet/server/create-app.ts'
import { readConfig, type Config } from '@duet/server/config.ts'
import type { App } from '@duet/server/core/app.ts'
import type { KeptMail } from '@duet/server/integrations/mail/mail.ts'
import { plusMs } from '@duet/server/lib/clock.ts'
import { collectCommands, runCommand } from '@duet/server/platform/operator/commands.ts'
import type { Database } from '@duet/server/platform/database/open.ts'
import { freshDatabase } from './database/template.ts'
import { socketKey } from '@duet/server/platform/realtime/socket-key.ts'
import type { TestServer } from './test-server.ts'
import { TestUser } from './test-user.ts'
import { peopleNames, addPerson, type People } from './people.ts'
import { GivenFaces } from './stand-ins/given-faces.ts'
import { GivenVision } from './stand-ins/given-vision.ts'
import { type FakeClock, createFakeClock, toMilliseconds } from './fake-clock.ts'
import { untilDelivered } from './wire-client.ts'

export interface TestAppOptions extends Partial<Pick<AppOptions, 'modules' | 'push'>> {
  /** Environment variables on top of the test's own. */
  readonly env?: Readonly<Record<string, string>>
  /** Connections of the database pool. */
  readonly pool_max?: number
}

/** The whole app on a fresh database, with a clock that only the test moves. */
export class TestApp implements TestServer {
  readonly clock: FakeClock = createFakeClock()
  /** Judges the uploads. */
  readonly vision = new GivenVision()
  /** Finds the faces in them. */
  readonly faces = new GivenFaces()
  readonly database: Database
  readonly config: Config
  readonly #options: TestAppOptions
  readonly #users: TestUser[] = []
  /** Differences between what was received and its contract; a test app that has any does not close. */
  readonly beyond: string[] = []
  running!: RunningApp
  origin = ''

  constructor(database: Database, config: Config, options: TestAppOptions) {
    this.database = database
    this.config = config
    this.#options = options
  }

  get app(): App {
    return this.running.app
  }

  get socket_key(): Buffer {
    return socketKey(this.app)
  }

  async open(): Promise<this> {
    const { modules, push } = this.#options
    const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
    const origins: string[] = []
    const config = { ...this.config, origins }
    this.running = await createApp({
      config,
      database: this.database,
      clock: this.clock,
      vision: this.vision,
      faces: this.faces,
      log,
      autonomous: false,
      // A story does not depend on what is built of the web app.
      web_folder: join(this.config.data_dir, 'no-web'),
      ...(modules && { modules }),
      ...(push && { push }),
    })
    const { port } = await this.running.start()
    this.origin = `http://127.0.0.1:${port}`
    origins.push(this.origin)
    return this
  }

  /** Moves the clock; due timers run in their order, each with everything that it starts before the next. */
  async advance(duration: string | number): Promise<void> {
    await this.settle()
    const until = plusMs(this.clock.now(), toMilliseconds(duration))
    while (this.clock.step(until)) await this.settle()
    await this.settle()
  }

  /** Moves the clock by hours or days, as a machine that slept: missed repetitions do not run. */
  async leap(duration: string | number): Promise<void> {
    await this.settle()
    this.clock.sleep(plusMs(this.clock.now(), toMilliseconds(duration)))
    await this.advance(0)
  }

  /** Resolves when nothing is running: no request, no transaction, no query, no delivery, no packet on any socket. */
  async settle(): Promise<void> {
    const { pending: busy, outbox, sockets } = this.running
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await Promise.all([...sockets()].map((socket) => untilDelivered(socket)))
      await new Promise((resolve) => setImmediate(resolve))
      // A delivery may wait for something that is no query: a file, another server.
      await outbox.settled()
      if (busy.count === 0 && this.#isDatabaseIdle()) continue
      await busy.settled()
      // The database works on the same cores.
      while (!this.#isDatabaseIdle()) await sleep(1)
      quiet = -1
    }
  }

  #isDatabaseIdle(): boolean {
    const { pool } = this.database
    return pool.waitingCount === 0 && pool.idleCount === pool.totalCount
  }

  /** A page that has not authenticated yet. */
  user(name: string, token?: string): TestUser {
    const user = new TestUser(this, name, token)
    this.#users.push(user)
    return user
  }

  /** A visitor, authenticated as a new guest. */
  async guest(name = 'a guest'): Promise<TestUser> {
    const user = this.user(name)
    await user.auth()
    return user
  }

  /** Runs a command of the operator's shell: `testApp.duet('grant', boris.id, 15, 'diamond', '--reason', 'test')`. */
  async duet<Answer = Record<string, unknown>>(...line: (string | number)[]): Promise<Answer> {
    const { exit_code, answer } = await runCommand(
      this.app,
      collectCommands(this.running.modules, {}),
      line.map(String),
    )
    if (exit_code !== 0) throw new Error(`duet ${line.join(' ')}: ${JSON.stringify(answer)}`)
    return answer as Answer
  }

  /** The mails that were sent, of all or to one address, the newest first. */
  async mails(to?: string): Promise<readonly KeptMail[]> {
    await this.settle()
    const mails = (await this.app.mail.kept()) ?? []
    return mails.filter((mail) => to === undefined || mail.to === to)
  }

  /** As if this member had followed the link of the mail; returns the address. */
  async confirmEmail({ id }: TestUser): Promise<string> {
    const row = await this.app.db
      .updateTable('users')
      .set({ email_confirmed_at: this.clock.now() })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirstOrThrow()
    return row.email!
  }

  async setting(key: string, value: string): Promise<void> {
    await this.duet('settings', 'set', key, value)
  }

  /** Resolves when the server has noticed that this user's sockets are closed. */
  async untilGone(user_id: number): Promise<void> {
    while (this.app.realtime.local.activeConnection(user_id))
      await new Promise((resolve) => setImmediate(resolve))
    await this.settle()
  }

  /** Kills the process and starts another process on the same database. Clients lose their sockets. */
  async crash(): Promise<void> {
    this.clock.forget()
    await this.running.kill()
    await this.open()
  }

  async close(): Promise<void> {
    for (const user of this.#users)
      for (const wire of [user.wire, user.signaling]) wire?.socket.disconnect()
    await this.running.stop()
    await this.database.stop()
    await rm(this.config.data_dir, { recursive: true, force: true })
    deepEqual(
      [...new Set(this.beyond)],
      [],
      'an answer or event has a field that its contract does not have',
    )
  }
}

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-test-app-'))
  const env = {
    NODE_ENV: 'test',
    // The demo's cast takes seconds to paint; stories bring their own people.
    DEMO: 'off',
    // Stories grant what they need.
    SECOND_PERSON: 'off',
    // They live in a process with a clock of its own.
    DEMO_COMPANIONS: 'off',
    DATA_DIR: dataDir,
    PORT: '0',
    // Everyone in a story comes from the same address.
    SOCKETS_PER_ADDRESS: '100000',
    SECRET_KEY: 'only-for-tests-0123456789-abcdefghij',
    // A captcha is solved in a millisecond.
    CAPTCHA_ROUNDS: '1',
    // Otherwise the first document of each story would write a key file beside its folder.
    KYC_KEY: 'b25seS1mb3ItdGVzdHMtMDEyMzQ1Njc4OS1hYmNkZWY',
    ...options.env,
  }
  return new TestApp(
    await freshDatabase({ pool_max: options.pool_max }),
    { ...readConfig(env), data_dir: dataDir },
    options,
  ).open()
}

type Work = (people: People & { testApp: TestApp }) => Promise<void>
type Story = ((name: string, work: Work) => void) & {
  only(name: string, work: Work): void
  with(options: TestAppOptions): (name: string, work: Work) => void
}

/**
 * A test whose users act through the real transports on a database of their own. Only the users that the
 * story names exist: `story('…', async ({ testApp, boris, anna }) => …)`.
 */
export const story: Story = Object.assign(
  (name: string, work: Work) => void test(name, () => perform(work, {})),
  {
    only: (name: string, work: Work) => void test(name, { only: true }, () => perform(work, {})),
    with: (options: TestAppOptions) => (name: string, work: Work) =>
      void test(name, () => perform(work, options)),
  },
)

async function perform(work: Work, options: TestAppOptions): Promise<void> {
  const testApp = await openTestApp(options)
  try {
    const cast: Record<string, TestUser> = {}
    for (const name of peopleNames(namesIn(work))) cast[name] = await addPerson(testApp, name)
    await work({ testApp, ...cast } as People & { testApp: TestApp })
  } catch (error) {
    // The reason is the story's own, not what it left unfinished.
    testApp.beyond.splice(0)
    throw error
  } finally {
    await testApp.close()
  }
}

/** The names that the story destructures. */
function namesIn(work: Work): string[] {
  const [, names = ''] = /^async\s*\(\s*\{([^}]*)\}/.exec(work.toString()) ?? []
  return names.split(',').map((one) => one.split(':')[0]!.trim())
}

/** Starts the same work `times` times at once. */
export function together<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)))
}

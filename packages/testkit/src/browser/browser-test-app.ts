import type { Role } from '@duet/protocol/kernel/roles.ts'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { chromium, type Browser } from 'playwright-core'
import { build } from 'vite'
import { createApp, type RunningApp } from '@duet/server/create-app.ts'
import { readConfig } from '@duet/server/config.ts'
import {
  type PaymentStandIn,
  startPaymentStandIn,
} from '@duet/server/integrations/payments/stand-in/stand-in.ts'
import { openLogin } from '@duet/server/modules/logins/index.ts'
import { collectCommands, runCommand } from '@duet/server/platform/operator/commands.ts'
import type { Database } from '@duet/server/platform/database/open.ts'
import { freshDatabase } from '../database/template.ts'
import { BrowserUser, type Screen } from './browser-user.ts'
import { createShiftedClock, type ShiftedClock } from './shifted-clock.ts'
import { until } from './until.ts'

const CHROMIUM = '/usr/bin/chromium'
/** The same browser without the parts for windows. It needs a quarter less of the processor; without it, Chromium runs. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
]
const WEB = fileURLToPath(new URL('../../../../apps/web', import.meta.url))

/** The demo installation on a port and a database of its own, with the web app as it is built, and a real browser. */
export class BrowserTestApp {
  readonly origin: string
  readonly running: RunningApp
  readonly clock: ShiftedClock
  /** The providers of payments, in an installation with a shop. */
  readonly standIn: PaymentStandIn | undefined
  readonly #browser: Browser
  readonly #database: Database
  readonly #folder: string
  readonly #people: BrowserUser[] = []
  readonly #ownBrowsers: Browser[] = []

  constructor(parts: {
    origin: string
    running: RunningApp
    clock: ShiftedClock
    browser: Browser
    database: Database
    folder: string
    standIn: PaymentStandIn | undefined
  }) {
    this.origin = parts.origin
    this.running = parts.running
    this.clock = parts.clock
    this.#browser = parts.browser
    this.#database = parts.database
    this.#folder = parts.folder
    this.standIn = parts.standIn
  }

  /** One of the cast on a device of his own, signed in, on his idle screen. */
  enter(nick: string, screen: Screen = 'desktop'): Promise<BrowserUser> {
    return this.#enterIn(this.#browser, nick, screen)
  }

  /**
   * The same in a browser of his own: no process is shared with the other user, as between two computers.
   *
   * @param cameras the cameras of that computer
   */
  async enterInOwnBrowser(
    nick: string,
    screen: Screen = 'desktop',
    { cameras = 1 }: { readonly cameras?: number } = {},
  ): Promise<BrowserUser> {
    const browser = await launchBrowser(cameras)
    this.#ownBrowsers.push(browser)
    return this.#enterIn(browser, nick, screen)
  }

  async #enterIn(browser: Browser, nick: string, screen: Screen): Promise<BrowserUser> {
    const row = await this.#database.db
      .selectFrom('users')
      .select('id')
      .where('nick', '=', nick)
      .executeTakeFirstOrThrow()
    const { token } = await this.running.app.transact((tx) => openLogin(tx, row.id))
    const person = await BrowserUser.enter(browser, this.origin, {
      nick,
      user_id: row.id,
      screen,
      token,
    })
    this.#people.push(person)
    return person
  }

  /** A visitor on a device of their own, at this path. */
  async visit(path: string, screen: Screen = 'desktop'): Promise<BrowserUser> {
    const visitor = await BrowserUser.visit(this.#browser, this.origin + path, screen)
    this.#people.push(visitor)
    return visitor
  }

  /**
   * Adds a new user, registered by the operator, without money.
   *
   * @param options further options of `duet user add`; a girl who searches needs `--verified --avatar`
   */
  async enterNew(
    nick: string,
    role: Role,
    screen: Screen = 'desktop',
    ...options: readonly string[]
  ): Promise<BrowserUser> {
    const email = `${nick.toLowerCase().replaceAll(' ', '.')}@journey.example`
    const added = await this.duet(
      'user',
      'add',
      '--role',
      role,
      '--nick',
      nick,
      '--email',
      email,
      '--password',
      'correct-horse',
      ...options,
    )
    const { id, token } = added as { id: number; token: string }
    const person = await BrowserUser.enter(this.#browser, this.origin, {
      nick,
      user_id: id,
      screen,
      token,
    })
    this.#people.push(person)
    return person
  }

  /** Runs an operator command. */
  async duet(...line: string[]): Promise<unknown> {
    const { app, modules } = this.running
    const { exit_code, answer } = await runCommand(app, collectCommands(modules, {}), line)
    if (exit_code !== 0) throw new Error(`duet ${line.join(' ')}: ${JSON.stringify(answer)}`)
    return answer
  }

  async set(settings: Readonly<Record<string, string>>): Promise<void> {
    for (const [key, value] of Object.entries(settings))
      await this.duet('settings', 'set', key, value)
  }

  get database(): Database {
    return this.#database
  }

  get db(): Database['db'] {
    return this.#database.db
  }

  /** Everybody goes; what they were in ends. */
  async empty(): Promise<void> {
    await Promise.all(this.#people.splice(0).map((person) => person.leave()))
    // The next user of this account must not find the former call.
    await until('the end of every call', async () => {
      const open = this.#database.db
        .selectFrom('video_sessions')
        .select('session_id')
        .where('status', '!=', 'closed')
      return (await open.executeTakeFirst()) === undefined
    })
  }

  async close(): Promise<void> {
    await this.empty()
    await Promise.all([this.#browser, ...this.#ownBrowsers].map((browser) => browser.close()))
    await this.running.stop()
    await this.standIn?.close()
    await this.#database.stop()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * @param environment variables that this installation has beside its defaults
 * @param options with `shop` the installation sells, and a program plays the providers of payments
 */
export async function startBrowserTestApp(
  settings: Readonly<Record<string, string>> = {},
  environment: Readonly<Record<string, string>> = {},
  { shop = false }: { readonly shop?: boolean } = {},
): Promise<BrowserTestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'duet-journey-'))
  const webFolder = process.env.BUILT_WEB ?? (await builtWeb(join(folder, 'web')))
  const port = await freePort()
  const config = readConfig({
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    LOG_LEVEL: 'error',
    // A captcha is solved at once, also where many browsers share a processor.
    CAPTCHA_ROUNDS: '20',
    // Users of a journey wait for each other, however slow the machine is.
    DEMO_COMPANIONS: 'off',
    DEMO_PAYMENTS_PORT: shop ? String(await freePort()) : '0',
    ...environment,
  })
  const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })
  const database = await freshDatabase({ log, pool_max: config.pool_max })
  const clock = createShiftedClock()
  const running = await createApp({ config, database, log, clock, web_folder: webFolder })
  await running.start()
  const { payment_stand_in } = config
  const standIn =
    payment_stand_in &&
    (await startPaymentStandIn({
      port: payment_stand_in.port,
      host: '127.0.0.1',
      public_origin: payment_stand_in.origin,
      notified_origin: () => `http://127.0.0.1:${port}`,
    }))
  const browser = await launchBrowser()
  const testApp = new BrowserTestApp({
    origin: `http://127.0.0.1:${port}`,
    running,
    clock,
    browser,
    database,
    folder,
    standIn,
  })
  await testApp.set(settings)
  return testApp
}

/** Builds the web app as it is now; a whole run builds it once and names its folder in BUILT_WEB. */
async function builtWeb(folder: string): Promise<string> {
  await build({
    root: WEB,
    configFile: join(WEB, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  })
  return folder
}

function launchBrowser(cameras = 1): Promise<Browser> {
  // Ten frames a second show that a picture moves, for half the work of the default.
  const devices = `--use-fake-device-for-media-stream=device-count=${cameras},fps=10`
  const executablePath = existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM
  return chromium.launch({ executablePath, args: [...ARGUMENTS, devices] })
}

function freePort(): Promise<number> {
  const probe = createServer()
  return new Promise((resolve, reject) => {
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

import { connect } from 'node:net'
import type { Config } from '../../config.ts'
import { appStates } from '../../core/app-state.ts'
import type { ContractRegistry } from '../dispatch/contract-registry.ts'

const REACH_TIMEOUT_MS = 3000
const HTTP_PORT = 80
const HTTPS_PORT = 443
const SMTP_PORT = 587

interface Checks {
  readonly database: () => Promise<unknown>
  readonly storage: () => Promise<unknown>
  /** Undelivered rows of the outbox by kind; absent without a running server. */
  readonly outbox?: () => Promise<readonly { waiting: number; dead: number }[]>
  /** The last run of each retention rule. */
  readonly retention?: () => Promise<readonly unknown[]>
  /** The reports of modules, by their names. */
  readonly modules?: () => Promise<Record<string, object>>
}

type Reach = 'ok' | 'not configured' | `failed: ${string}`

/** Reports the configuration, what is missing, what can be reached, and which contracts no module handles yet. */
export async function diagnose(
  config: Config,
  contractRegistry: ContractRegistry,
  running: boolean,
  checks: Checks,
): Promise<object> {
  const [database, storage, smtp, translator] = await Promise.all([
    attempt(checks.database),
    attempt(checks.storage),
    reachPort(config.mail.kind === 'smtp' ? config.mail.url : undefined, SMTP_PORT),
    reachPort(config.translation?.url, HTTPS_PORT),
  ])
  // These need the database; `reachable` contains the reason when it cannot be reached.
  const [outbox, retention, modules] = await Promise.all([
    checks.outbox?.().catch(() => undefined),
    checks.retention?.().catch(() => undefined),
    checks.modules?.().catch(() => undefined),
  ])
  const { actions, endpoints, signals } = contractRegistry.missing
  return {
    running,
    // Memory that the end of this process loses, and how the next process gets it back.
    ...(running && { lost_with_process: appStates() }),
    node: process.version,
    mode: config.production ? 'production' : config.demo ? 'demo' : 'development',
    configured: describeConfiguration(config),
    variables: config.given,
    missing: listMissing(config),
    reachable: { database, storage, smtp, translation: translator },
    ...(outbox && {
      outbox: {
        waiting: total(outbox.map(({ waiting }) => waiting)),
        dead: total(outbox.map(({ dead }) => dead)),
        kinds: outbox,
      },
    }),
    ...(retention && { retention }),
    ...(modules && { modules }),
    warnings: config.warnings,
    calls_without_module: {
      count: actions.length + endpoints.length + signals.length,
      actions,
      endpoints,
      signals,
    },
  }
}

function describeConfiguration(config: Config): object {
  return {
    database: config.database_url === undefined ? 'embedded' : 'DATABASE_URL',
    origins: config.origins,
    office: config.office_origin ?? 'at the origin of the users',
    office_networks: config.office_networks ?? 'all',
    roles: [...config.roles],
    files: config.s3 === undefined ? 'folder' : 'S3_BUCKET',
    turn: config.turn !== undefined,
    country: config.country.header
      ? `header ${config.country.header}`
      : `table ${config.country.table ?? 'shipped with Duet'}`,
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

function listMissing(config: Config): string[] {
  const missing: string[] = []
  if (!config.turn)
    missing.push(
      'TURN_URLS, TURN_SECRET: two browsers connect directly and learn each other’s address',
    )
  if (!config.database_url) missing.push('DATABASE_URL: the database is this machine’s own')
  if (!config.office_origin)
    missing.push(
      'OFFICE_ORIGIN: the back office shares the origin of the users, so a fault of a user page reaches it',
    )
  if (!config.office_networks)
    missing.push(
      'OFFICE_NETWORKS: the back office can be reached from every network, so factors alone protect it',
    )
  return missing
}

async function attempt(check: () => Promise<unknown>): Promise<Reach> {
  try {
    await check()
    return 'ok'
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`
  }
}

async function reachPort(url: string | undefined, usualPort: number): Promise<Reach> {
  if (url === undefined) return 'not configured'
  const { hostname, port, protocol } = new URL(url)
  const unnamedPort = protocol === 'http:' ? HTTP_PORT : usualPort
  return attempt(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect({
          host: hostname,
          port: port === '' ? unnamedPort : Number(port),
          timeout: REACH_TIMEOUT_MS,
        })
        const end = (settle: () => void) => () => {
          socket.destroy()
          settle()
        }
        socket.once('connect', end(resolve))
        socket.once(
          'timeout',
          end(() => reject(new Error('no answer'))),
        )
        socket.once('error', reject)
      }),
  )
}

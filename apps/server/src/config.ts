import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isLoopback } from './lib/loopback.ts'
import { mailOf, pushKeysOf } from './platform/service-config/delivery-config.ts'
import { ensureDataDirectory } from './platform/data-directory.ts'
import {
  type AgeConfig,
  type FingerprintProConfig,
  ageProviderOf,
  fingerprintProOf,
  type SumsubConfig,
  sumsubOf,
} from './platform/identity-config/identity-providers.ts'
import { type CaptchaConfig, captchaOf } from './platform/identity-config/captcha-config.ts'
import { type DocumentKeySource, documentKeysOf } from './platform/identity-config/document-keys.ts'
import { type S3, s3Of } from './platform/service-config/s3-environment.ts'
import {
  type TranslationConfig,
  translationOf,
} from './platform/service-config/translation-config.ts'
import { isWeakSecret } from './platform/weak-secret.ts'
import { StartRefused } from './platform/database/start-refused.ts'
import {
  type Environment,
  readEnvironment,
  type ROLES,
  SECRET_MIN_CHARACTERS,
  type Values,
} from './platform/environment.ts'

/** Everything that an operator decides before the start. Values that may change while the server runs are in the settings table. */
export interface Config {
  readonly production: boolean
  /** Every answer is compared with its contract (NODE_ENV=test). */
  readonly answers_checked: boolean
  /** The demo installation: demo users, sign-in with one click, sandbox payments. */
  readonly demo: boolean
  /** Undefined: the embedded database in `data_dir`. */
  readonly database_url: string | undefined
  /** The origins of the product; mails and links contain the first one. */
  readonly origins: readonly string[]
  readonly office_origin: string | undefined
  readonly secret_key: string
  /** The keys of identity documents: given, or in a file outside of DATA_DIR. */
  readonly kyc_keys: DocumentKeySource
  /** Sumsub, where it is configured. */
  readonly sumsub: SumsubConfig | undefined
  readonly captcha: CaptchaConfig
  /** The provider of age proofs, where one is configured. */
  readonly age: AgeConfig | undefined
  /** The service that confirms fingerprints, where it is configured. */
  readonly fingerprint_pro: FingerprintProConfig | undefined
  /** Serves the reference of the HTTP interface at `/api/docs`. */
  readonly api_docs: boolean
  /** Public keys of age for which backups are encrypted. */
  readonly backup_recipients: readonly string[]
  readonly roles: ReadonlySet<ServerRole>
  readonly host: string
  readonly port: number
  readonly metrics_port: number
  /** Absolute. */
  readonly data_dir: string
  readonly log_level: string
  readonly turn:
    | {
        readonly urls: readonly string[]
        readonly secret: string
        readonly addresses: readonly string[] | undefined
      }
    | undefined
  readonly smtp_url: string | undefined
  /** Where mails go: to a server, into a folder of `data_dir` (development), or nowhere. */
  readonly mail:
    | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
    | { readonly kind: 'folder' | 'off' }
  /** The keys of push messages; undefined: those of a file in `data_dir`. */
  readonly push_keys: { readonly public_key: string; readonly private_key: string } | undefined
  readonly s3: S3 | undefined
  /** The service that translates messages, where it is configured. */
  readonly translation: TranslationConfig | undefined
  /** Videos are refused where their converter would run without limits or with a network. */
  readonly video_sandbox_required: boolean
  /** The number of proxies in front of this server: this many entries of X-Forwarded-For are believed, from the right. */
  readonly trusted_proxies: number
  /** How the country of a connection is known: by a proxy's header, otherwise by a table; undefined: the shipped table. */
  readonly country: {
    readonly header: string | undefined
    readonly region_header: string | undefined
    readonly table: string | undefined
  }
  readonly pool_max: number
  readonly sockets_max: number
  readonly sockets_per_address_max: number
  /** Logged once at the start; none of them prevents it. */
  readonly warnings: readonly string[]
}

export type ServerRole = (typeof ROLES)[number]

/**
 * The whole configuration from the environment, checked and frozen.
 * @throws StartRefused with one sentence that names the variable and what it must be
 */
export function readConfig(env: Environment): Config {
  const values = readEnvironment(env)
  refuseUnsaidPurpose(values)
  const production = values.NODE_ENV === 'production'
  const demo = isDemo(values)
  const listenPort = values.PORT!
  const config: Config = {
    production,
    answers_checked: values.NODE_ENV === 'test',
    demo,
    database_url: values.DATABASE_URL,
    origins: values.PUBLIC_ORIGIN ?? [
      `http://localhost:${listenPort}`,
      `http://127.0.0.1:${listenPort}`,
    ],
    office_origin: values.OFFICE_ORIGIN,
    secret_key: values.SECRET_KEY ?? readOrCreateSecret(resolve(values.DATA_DIR!), production),
    kyc_keys: documentKeysOf(values, production),
    sumsub: sumsubOf(values, production),
    age: ageProviderOf(values, production),
    fingerprint_pro: fingerprintProOf(values),
    captcha: captchaOf(values, production),
    api_docs: values.API_DOCS === undefined ? !production : values.API_DOCS === 'on',
    backup_recipients: values.BACKUP_RECIPIENTS ?? [],
    roles: new Set(values.ROLES),
    host: values.HOST!,
    port: listenPort,
    metrics_port: values.METRICS_PORT!,
    data_dir: resolve(values.DATA_DIR!),
    // On a terminal the printed addresses must stay visible among the log lines.
    log_level: values.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    turn: turnOf(values),
    smtp_url: values.SMTP_URL,
    mail: mailOf(values, production),
    push_keys: pushKeysOf(values),
    s3: s3Of(values, production),
    translation: translationOf(values, production),
    video_sandbox_required: production && values.VIDEO_SANDBOX === 'required',
    trusted_proxies: values.TRUSTED_PROXIES ?? 0,
    country: countryOf(values),
    pool_max: values.DATABASE_POOL!,
    sockets_max: values.SOCKETS_MAX!,
    sockets_per_address_max: values.SOCKETS_PER_ADDRESS!,
    warnings: warningsOf(production, values),
  }
  refuseUnsafe(config, values)
  return Object.freeze(config)
}

/**
 * An installation for other machines is either production, with all its refusals, or a demo that was asked for: a forgotten
 * NODE_ENV must not start a product without them.
 */
function refuseUnsaidPurpose(values: Values): void {
  const { NODE_ENV, DEMO, HOST, PUBLIC_ORIGIN = [], OFFICE_ORIGIN } = values
  if (NODE_ENV === 'production' || DEMO === 'on') return
  if (!isLoopback(HOST!))
    throw new StartRefused(
      `HOST=${HOST} lets other machines connect: set NODE_ENV=production, or DEMO=on to offer the demo installation there.`,
    )
  const foreign = [...PUBLIC_ORIGIN, ...(OFFICE_ORIGIN ? [OFFICE_ORIGIN] : [])].find(
    (origin) => !isLoopback(new URL(origin).hostname),
  )
  if (foreign !== undefined)
    throw new StartRefused(
      `The origin ${foreign} is on another machine: set NODE_ENV=production, or DEMO=on to offer the demo installation there.`,
    )
}

/** The demo lets every visitor sign in as its users: unless DEMO asks for it, the server offers it to its own machine only. */
function isDemo({ DEMO, NODE_ENV, DATABASE_URL }: Values): boolean {
  if (DEMO !== undefined) return DEMO === 'on'
  return NODE_ENV !== 'production' && DATABASE_URL === undefined
}

function refuseUnsafe(config: Config, values: Values): void {
  if (!config.roles.has('web') || !config.roles.has('realtime'))
    throw new StartRefused(
      'ROLES must contain web and realtime: one process serves pages, sockets and calls, and only worker may be left out.',
    )
  if (!config.production) return
  if (config.demo)
    throw new StartRefused(
      'DEMO=on is refused with NODE_ENV=production: any visitor could sign in as a demo user.',
    )
  const open = [...config.origins, ...(config.office_origin ? [config.office_origin] : [])].find(
    (origin) => !origin.startsWith('https://'),
  )
  if (values.PUBLIC_ORIGIN === undefined || open !== undefined) {
    throw new StartRefused(
      'PUBLIC_ORIGIN must list https:// origins only when NODE_ENV is production: cameras and logins need TLS.',
    )
  }
  refuseWeakSecrets(config)
  if (values.TRUSTED_PROXIES === undefined)
    throw new StartRefused(
      'TRUSTED_PROXIES must be set when NODE_ENV is production: the exact number of proxies in front of this server, or 0.',
    )
  if (config.turn === undefined && values.DIRECT_CALLS !== 'on')
    throw new StartRefused(
      'TURN_URLS must be set when NODE_ENV is production, or DIRECT_CALLS=on: without a relay the two users of a call learn each other’s address.',
    )
}

function refuseWeakSecrets({ secret_key, turn }: Config): void {
  if (isWeakSecret(secret_key))
    throw new StartRefused('SECRET_KEY must be random when NODE_ENV is production.')
  if (turn !== undefined && isWeakSecret(turn.secret))
    throw new StartRefused(
      'TURN_SECRET must be random when NODE_ENV is production, as openssl rand -hex 32 makes it.',
    )
}

function warningsOf(production: boolean, values: Values): string[] {
  const warnings: string[] = []
  if (production && values.DATABASE_URL === undefined) {
    warnings.push(
      'The embedded database is in use: all data are on the disk of this machine and in its backups.',
    )
  }
  if (production && values.TURN_URLS === undefined)
    warnings.push('TURN_URLS is not set: the two users of a call learn each other’s address.')
  if (values.MAIL === 'off')
    warnings.push('MAIL is off: no user can confirm an address or recover an account.')
  return warnings
}

function turnOf({
  TURN_URLS: urls,
  TURN_SECRET: secret,
  TURN_ADDRESSES: addresses,
}: Values): Config['turn'] {
  if ((urls === undefined) !== (secret === undefined))
    throw new StartRefused('TURN_URLS and TURN_SECRET must be set together.')
  return urls && secret ? { urls, secret, addresses } : undefined
}

/** A header that no trusted proxy writes could be written by every client. */
function countryOf({
  COUNTRY_HEADER: header,
  REGION_HEADER: region_header,
  COUNTRY_TABLE: table,
  TRUSTED_PROXIES,
}: Values): Config['country'] {
  if (header !== undefined && !TRUSTED_PROXIES)
    throw new StartRefused(
      'COUNTRY_HEADER must come with TRUSTED_PROXIES of 1 or more: without a proxy every client could write it.',
    )
  if (region_header !== undefined && header === undefined)
    throw new StartRefused('REGION_HEADER must come with COUNTRY_HEADER.')
  if (table !== undefined && !existsSync(table))
    throw new StartRefused(
      'COUNTRY_TABLE must be a readable file of the MaxMind DB format (.mmdb).',
    )
  return { header, region_header, table: table && resolve(table) }
}

function readOrCreateSecret(dataDir: string, production: boolean): string {
  if (production)
    throw new StartRefused(
      `SECRET_KEY must be a secret of ${SECRET_MIN_CHARACTERS} characters or more when NODE_ENV is production.`,
    )
  const file = join(dataDir, 'secret.key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const secret = randomBytes(32).toString('base64url')
  try {
    ensureDataDirectory(dataDir)
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(file, 'utf8').trim()
    throw new StartRefused(
      `DATA_DIR ${dataDir} must be a folder that this process may write to (${(error as Error).message}).`,
    )
  }
  return secret
}

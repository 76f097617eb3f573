import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { StartRefused } from './platform/db/start-refused.ts'

/** Everything that an operator decides before the start. What may change while it runs is in the settings table instead. */
export interface Config {
  readonly production: boolean
  /** Every answer is compared with its contract (NODE_ENV=test). */
  readonly answers_checked: boolean
  /** The demo installation: cast, one-press sign-in, sandbox payments. */
  readonly demo: boolean
  /** Undefined: the embedded database in `data_dir`. */
  readonly database_url: string | undefined
  readonly redis_url: string | undefined
  /** Where the product is reached; the first one stands in mails and links. */
  readonly origins: readonly string[]
  readonly office_origin: string | undefined
  readonly secret_key: string
  readonly roles: ReadonlySet<Role>
  readonly host: string
  readonly port: number
  readonly metrics_port: number
  /** Absolute. */
  readonly data_dir: string
  readonly log_level: string
  readonly turn: { readonly urls: readonly string[]; readonly secret: string } | undefined
  readonly smtp_url: string | undefined
  readonly s3: S3 | undefined
  /** Proxies between the world and us: so many entries of X-Forwarded-For are believed, from the right. */
  readonly trusted_proxies: number
  readonly pool_max: number
  readonly sockets_max: number
  readonly sockets_per_address_max: number
  /** Said once at the start, none of them stops it. */
  readonly warnings: readonly string[]
}

export type Role = 'web' | 'realtime' | 'worker'

export interface S3 {
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  readonly access_key: string
  readonly secret: string
}

type Env = Readonly<Record<string, string | undefined>>

const roles = ['web', 'realtime', 'worker'] as const
const log_levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const secret_characters_min = 32
const port = z.coerce.number().pipe(z.int().min(0).max(65_535))
const count = (least: number, most: number) => z.coerce.number().pipe(z.int().min(least).max(most))
const listed = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
)
const originList = listed.pipe(z.array(z.url().refine(isOrigin)).min(1))

interface Variable {
  readonly shape: z.ZodType
  /** What a right value looks like: ends the sentence "NAME must be …". */
  readonly must_be: string
  readonly says: string
  readonly fallback?: string
}

/** Every variable that is read. `docs/configuration.gen.md` is this table. */
export const variables = {
  NODE_ENV: {
    shape: z.string(),
    must_be: 'production or anything else',
    says: '`production` refuses what is unsafe; `test` compares every answer with its contract.',
  },
  DEMO: {
    shape: z.enum(['on', 'off']),
    must_be: 'on or off',
    says: 'The demo installation: a cast, one-press sign-in, sandbox payments. By default on without DATABASE_URL outside production.',
  },
  DATABASE_URL: {
    shape: z.string().regex(/^postgres(ql)?:\/\/./),
    must_be: 'an address of PostgreSQL like postgres://user:password@host:5432/name',
    says: 'PostgreSQL 15 or newer. Absent: the embedded database in DATA_DIR.',
  },
  REDIS_URL: {
    shape: z.string().regex(/^rediss?:\/\/./),
    must_be: 'an address of Redis like redis://host:6379',
    says: 'Lets several processes share presence and the waiting room.',
  },
  PUBLIC_ORIGIN: {
    shape: originList,
    must_be: 'one origin or several with commas between, like https://duet.example',
    says: 'Where the product is reached; sockets from elsewhere are refused. The first one stands in mails. Default: localhost and 127.0.0.1 on PORT.',
  },
  OFFICE_ORIGIN: {
    shape: z.url().refine(isOrigin),
    must_be: 'an origin like https://office.duet.example',
    says: 'Where the back office is reached, when not at PUBLIC_ORIGIN.',
  },
  SECRET_KEY: {
    shape: z.string().min(secret_characters_min),
    must_be: `a secret of ${secret_characters_min} characters or more`,
    says: 'Root of every key. Needed in production; elsewhere made once and kept in DATA_DIR.',
  },
  ROLES: {
    shape: listed.pipe(z.array(z.enum(roles)).min(1)),
    must_be: `some of ${roles.join(', ')} with commas between`,
    says: 'What this process does.',
    fallback: roles.join(','),
  },
  HOST: {
    shape: z.string().min(1),
    must_be: 'a host name or address',
    says: 'Where to listen.',
    fallback: '127.0.0.1',
  },
  PORT: { shape: port, must_be: 'a port from 0 to 65535', says: 'Where to listen.', fallback: '3000' },
  METRICS_PORT: {
    shape: port,
    must_be: 'a port from 0 to 65535',
    says: 'Prometheus metrics at /metrics, on the loopback interface only. 0 is off.',
    fallback: '0',
  },
  DATA_DIR: {
    shape: z.string().min(1),
    must_be: 'a folder',
    says: 'Embedded database, files, outbox, own secrets.',
    fallback: './data',
  },
  LOG_LEVEL: {
    shape: z.enum(log_levels),
    must_be: `one of ${log_levels.join(', ')}`,
    says: 'How much is logged. Default: warn in the demo installation, else info.',
  },
  TURN_URLS: {
    shape: listed.pipe(z.array(z.string().regex(/^turns?:.+/)).min(1)),
    must_be: 'TURN addresses with commas between, like turn:turn.example:3478?transport=udp',
    says: 'The relay between two browsers.',
  },
  TURN_SECRET: {
    shape: z.string().min(8),
    must_be: 'the relay’s static-auth-secret',
    says: 'Signs the relay’s credentials.',
  },
  SMTP_URL: {
    shape: z.string().regex(/^smtps?:\/\/./),
    must_be: 'an address like smtps://user:password@host:465',
    says: 'Sends mail. Absent: mail lands in DATA_DIR/outbox.',
  },
  S3_ENDPOINT: { shape: z.url(), must_be: 'an address', says: 'S3 of another maker than Amazon.' },
  S3_REGION: { shape: z.string().min(1), must_be: 'a region', says: 'Region of the bucket.', fallback: 'us-east-1' },
  S3_BUCKET: {
    shape: z.string().min(3),
    must_be: 'the name of a bucket',
    says: 'Keeps files in S3. Absent: in DATA_DIR/files.',
  },
  S3_ACCESS_KEY_ID: { shape: z.string().min(1), must_be: 'an access key', says: 'Goes with S3_BUCKET.' },
  S3_SECRET_ACCESS_KEY: { shape: z.string().min(1), must_be: 'a secret key', says: 'Goes with S3_BUCKET.' },
  TRUSTED_PROXIES: {
    shape: count(0, 10),
    must_be: 'the exact number of proxies in front of this server, 0 to 10',
    says: 'How many entries of X-Forwarded-For are believed, counted from the right.',
    fallback: '0',
  },
  DATABASE_POOL: {
    shape: count(2, 200),
    must_be: 'a number from 2 to 200',
    says: 'Connections to the database.',
    fallback: '20',
  },
  SOCKETS_MAX: {
    shape: count(1, 1_000_000),
    must_be: 'a positive number',
    says: 'Open sockets in this process.',
    fallback: '50000',
  },
  SOCKETS_PER_ADDRESS: {
    shape: count(1, 1_000_000),
    must_be: 'a positive number',
    says: 'Open sockets from one network address (a /64 in IPv6); loopback is not counted.',
    fallback: '200',
  },
} as const satisfies Record<string, Variable>

type Values = { readonly [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['shape']> | undefined }

/**
 * The whole configuration from the environment, checked and frozen.
 * @throws StartRefused with one sentence that names the variable and what it must be
 */
export function readConfig(env: Env): Config {
  const values = parsed(env)
  const production = values.NODE_ENV === 'production'
  const demo = values.DEMO === undefined ? values.DATABASE_URL === undefined && !production : values.DEMO === 'on'
  const listen_port = values.PORT!
  const config: Config = {
    production,
    answers_checked: values.NODE_ENV === 'test',
    demo,
    database_url: values.DATABASE_URL,
    redis_url: values.REDIS_URL,
    origins: values.PUBLIC_ORIGIN ?? [`http://localhost:${listen_port}`, `http://127.0.0.1:${listen_port}`],
    office_origin: values.OFFICE_ORIGIN,
    secret_key: values.SECRET_KEY ?? keptSecret(resolve(values.DATA_DIR!), production),
    roles: new Set(values.ROLES),
    host: values.HOST!,
    port: listen_port,
    metrics_port: values.METRICS_PORT!,
    data_dir: resolve(values.DATA_DIR!),
    // On a terminal the addresses must not drown in lines for machines.
    log_level: values.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    turn: turnOf(values),
    smtp_url: values.SMTP_URL,
    s3: s3Of(values),
    trusted_proxies: values.TRUSTED_PROXIES!,
    pool_max: values.DATABASE_POOL!,
    sockets_max: values.SOCKETS_MAX!,
    sockets_per_address_max: values.SOCKETS_PER_ADDRESS!,
    warnings: warningsOf(production, values),
  }
  refuseUnsafe(config, values)
  return Object.freeze(config)
}

/** A key of 32 bytes for one purpose, derived from SECRET_KEY: a leak of one says nothing about another. */
export function keyFor(config: Pick<Config, 'secret_key'>, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', config.secret_key, 'duet', purpose, 32))
}

/** The reference page of the table above. */
export function configurationPage(): string {
  const rows = Object.entries<Variable>(variables).map(
    ([name, { says, must_be, fallback }]) =>
      `| \`${name}\` | ${says} | ${must_be} | ${fallback ? `\`${fallback}\`` : ''} |`,
  )
  return [
    '# Configuration',
    '',
    'Generated from `apps/server/src/config.ts`. Every value comes from the environment; a wrong one stops the start with one sentence.',
    '',
    '| Variable | Meaning | Must be | Default |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function parsed(env: Env): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { shape, must_be, fallback }] of Object.entries<Variable>(variables)) {
    const given = env[name]?.trim() || fallback
    if (given === undefined) continue
    const result = shape.safeParse(given)
    if (!result.success) throw new StartRefused(`${name} must be ${must_be}.`)
    values[name] = result.data
  }
  return values as Values
}

function refuseUnsafe(config: Config, values: Values): void {
  if (config.demo && !isLoopback(config.host) && values.DEMO !== 'on') {
    throw new StartRefused(
      `The demo installation listens on this machine only: set DEMO=on to offer it at HOST=${config.host}, or DEMO=off.`,
    )
  }
  if (!config.production) return
  if (config.demo)
    throw new StartRefused('DEMO=on is refused with NODE_ENV=production: anybody could sign in as one of the cast.')
  const open = [...config.origins, ...(config.office_origin ? [config.office_origin] : [])].find(
    (origin) => !origin.startsWith('https://'),
  )
  if (values.PUBLIC_ORIGIN === undefined || open !== undefined) {
    throw new StartRefused(
      'PUBLIC_ORIGIN must list https:// origins only when NODE_ENV is production: cameras and logins need TLS.',
    )
  }
  if (new Set(config.secret_key).size < 8)
    throw new StartRefused('SECRET_KEY must be random when NODE_ENV is production.')
}

function warningsOf(production: boolean, values: Values): string[] {
  const warnings: string[] = []
  if (production && values.DATABASE_URL === undefined) {
    warnings.push('The embedded database is in use: backups and the disk of this one machine are all there is.')
  }
  if (production && values.TURN_URLS === undefined)
    warnings.push('TURN_URLS is not set: the two sides of a call learn each other’s address.')
  return warnings
}

function turnOf({ TURN_URLS: urls, TURN_SECRET: secret }: Values): Config['turn'] {
  if ((urls === undefined) !== (secret === undefined))
    throw new StartRefused('TURN_URLS and TURN_SECRET must be set together.')
  return urls && secret ? { urls, secret } : undefined
}

function s3Of(values: Values): S3 | undefined {
  if (values.S3_BUCKET === undefined) return undefined
  const { S3_ACCESS_KEY_ID: access_key, S3_SECRET_ACCESS_KEY: secret } = values
  if (!access_key || !secret)
    throw new StartRefused('S3_BUCKET must come with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  return { endpoint: values.S3_ENDPOINT, region: values.S3_REGION!, bucket: values.S3_BUCKET, access_key, secret }
}

function keptSecret(data_dir: string, production: boolean): string {
  if (production)
    throw new StartRefused(
      `SECRET_KEY must be a secret of ${secret_characters_min} characters or more when NODE_ENV is production.`,
    )
  const file = join(data_dir, 'secret.key')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  const secret = randomBytes(32).toString('base64url')
  try {
    mkdirSync(data_dir, { recursive: true })
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readFileSync(file, 'utf8').trim()
    throw new StartRefused(
      `DATA_DIR ${data_dir} must be a folder that this process may write to (${(error as Error).message}).`,
    )
  }
  return secret
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host)
}

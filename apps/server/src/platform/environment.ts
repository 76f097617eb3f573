import { z } from 'zod'
import { StartRefused } from './database/start-refused.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const roles = ['web', 'realtime', 'worker'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const SECRET_MIN_CHARACTERS = 32
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
  readonly expects: string
  readonly says: string
  readonly fallback?: string
}

/** Every variable that is read. `docs/configuration.gen.md` is this table. */
export const variables = {
  NODE_ENV: {
    shape: z.string(),
    expects: 'production or anything else',
    says: '`production` refuses what is unsafe; `test` compares every answer with its contract.',
  },
  DEMO: {
    shape: z.enum(['on', 'off']),
    expects: 'on or off',
    says: 'The demo installation: a cast, one-press sign-in, sandbox payments. By default on without DATABASE_URL outside production.',
  },
  DATABASE_URL: {
    shape: z.string().regex(/^postgres(ql)?:\/\/./),
    expects: 'an address of PostgreSQL like postgres://user:password@host:5432/name',
    says: 'PostgreSQL 15 or newer. Absent: the embedded database in DATA_DIR.',
  },
  REDIS_URL: {
    shape: z.string().regex(/^rediss?:\/\/./),
    expects: 'an address of Redis like redis://host:6379',
    says: 'Will let several processes share presence and the waiting room. Checked by the doctor, not used yet: one process serves everybody.',
  },
  PUBLIC_ORIGIN: {
    shape: originList,
    expects: 'one origin or several with commas between, like https://duet.example',
    says: 'Where the product is reached; sockets from elsewhere are refused. The first one stands in mails. Default: localhost and 127.0.0.1 on PORT.',
  },
  OFFICE_ORIGIN: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin like https://office.duet.example',
    says: 'Where the back office is reached, when not at PUBLIC_ORIGIN.',
  },
  SECRET_KEY: {
    shape: z.string().min(SECRET_MIN_CHARACTERS),
    expects: `a secret of ${SECRET_MIN_CHARACTERS} characters or more`,
    says: 'Root of every key. Needed in production; elsewhere made once and kept in DATA_DIR.',
  },
  ROLES: {
    shape: listed.pipe(z.array(z.enum(roles)).min(1)),
    expects: `some of ${roles.join(', ')} with commas between`,
    says: 'What this process does.',
    fallback: roles.join(','),
  },
  HOST: {
    shape: z.string().min(1),
    expects: 'a host name or address',
    says: 'Where to listen.',
    fallback: '127.0.0.1',
  },
  PORT: {
    shape: port,
    expects: 'a port from 0 to 65535',
    says: 'Where to listen.',
    fallback: '3000',
  },
  METRICS_PORT: {
    shape: port,
    expects: 'a port from 0 to 65535',
    says: 'Prometheus metrics at /metrics, on the loopback interface only. 0 is off.',
    fallback: '0',
  },
  DATA_DIR: {
    shape: z.string().min(1),
    expects: 'a folder',
    says: 'Embedded database, files, outbox, own secrets.',
    fallback: './data',
  },
  LOG_LEVEL: {
    shape: z.enum(LOG_LEVELS),
    expects: `one of ${LOG_LEVELS.join(', ')}`,
    says: 'How much is logged. Default: warn in the demo installation, else info.',
  },
  TURN_URLS: {
    shape: listed.pipe(z.array(z.string().regex(/^turns?:.+/)).min(1)),
    expects: 'TURN addresses with commas between, like turn:turn.example:3478?transport=udp',
    says: 'The relay between two browsers.',
  },
  TURN_SECRET: {
    shape: z.string().min(8),
    expects: 'the relay’s static-auth-secret',
    says: 'Signs the relay’s credentials.',
  },
  SMTP_URL: {
    shape: z.string().regex(/^smtps?:\/\/./),
    expects: 'an address like smtps://user:password@host:465',
    says: 'Will send mail. Checked by the doctor, not used yet: nothing is mailed.',
  },
  S3_ENDPOINT: { shape: z.url(), expects: 'an address', says: 'S3 of another maker than Amazon.' },
  S3_REGION: {
    shape: z.string().min(1),
    expects: 'a region',
    says: 'Region of the bucket.',
    fallback: 'us-east-1',
  },
  S3_BUCKET: {
    shape: z.string().min(3),
    expects: 'the name of a bucket',
    says: 'Will keep files in S3. Not used yet: files lie in DATA_DIR/files.',
  },
  S3_ACCESS_KEY_ID: {
    shape: z.string().min(1),
    expects: 'an access key',
    says: 'Goes with S3_BUCKET.',
  },
  S3_SECRET_ACCESS_KEY: {
    shape: z.string().min(1),
    expects: 'a secret key',
    says: 'Goes with S3_BUCKET.',
  },
  TRUSTED_PROXIES: {
    shape: count(0, 10),
    expects: 'the exact number of proxies in front of this server, 0 to 10',
    says: 'How many entries of X-Forwarded-For are believed, counted from the right.',
    fallback: '0',
  },
  DATABASE_POOL: {
    shape: count(2, 200),
    expects: 'a number from 2 to 200',
    says: 'Connections to the database.',
    fallback: '20',
  },
  SOCKETS_MAX: {
    shape: count(1, 1_000_000),
    expects: 'a positive number',
    says: 'Open sockets in this process.',
    fallback: '50000',
  },
  SOCKETS_PER_ADDRESS: {
    shape: count(1, 1_000_000),
    expects: 'a positive number',
    says: 'Open sockets from one network address (a /64 in IPv6); loopback is not counted.',
    fallback: '200',
  },
} as const satisfies Record<string, Variable>

/** What was given or has a default, parsed. */
export type Values = {
  readonly [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['shape']> | undefined
}

/** @throws StartRefused with one sentence that names the variable and what it must be */
export function readEnvironment(env: Environment): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { shape, expects: must_be, fallback }] of Object.entries<Variable>(variables)) {
    const given = env[name]?.trim() || fallback
    if (given === undefined) continue
    const result = shape.safeParse(given)
    if (!result.success) throw new StartRefused(`${name} must be ${must_be}.`)
    values[name] = result.data
  }
  return values as Values
}

/** The reference page of the table above. */
export function configurationPage(): string {
  const rows = Object.entries<Variable>(variables).map(
    ([name, { says, expects: must_be, fallback }]) =>
      `| \`${name}\` | ${says} | ${must_be} | ${fallback ? `\`${fallback}\`` : ''} |`,
  )
  return [
    '# Configuration',
    '',
    'Generated from `apps/server/src/platform/environment.ts`. Every value comes from the environment; a wrong one stops the start with one sentence.',
    '',
    '| Variable | Meaning | Must be | Default |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function isOrigin(text: string): boolean {
  return (
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text
  )
}

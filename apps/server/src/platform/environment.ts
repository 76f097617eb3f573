import { z } from 'zod'
import { CAPTCHA_VARIABLES } from './identity-config/captcha-variables.ts'
import { StartRefused } from './database/start-refused.ts'
import { IDENTITY_VARIABLES } from './identity-config/identity-variables.ts'
import { TRANSLATION_VARIABLES } from './service-config/translation-config.ts'
import { isOrigin, listed, type Variable } from './variable.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const ROLES = ['web', 'realtime', 'worker'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export const SECRET_MIN_CHARACTERS = 32
const port = z.coerce.number().pipe(z.int().min(0).max(65_535))
const count = (least: number, most: number) => z.coerce.number().pipe(z.int().min(least).max(most))
const originList = listed.pipe(z.array(z.url().refine(isOrigin)).min(1))

/** Every variable that the server reads. `docs/configuration.gen.md` is generated from it. */
export const VARIABLES = {
  NODE_ENV: {
    shape: z.enum(['development', 'test', 'production']),
    expects: 'development, test or production',
    meaning: '`production` refuses what is unsafe; `test` compares every answer with its contract.',
    fallback: 'development',
  },
  DEMO: {
    shape: z.enum(['on', 'off']),
    expects: 'on or off',
    meaning:
      'The demo installation: demo users, sign-in with one click, sandbox payments. On by default without DATABASE_URL outside production. An origin on another machine needs DEMO=on or NODE_ENV=production.',
  },
  DATABASE_URL: {
    shape: z.string().regex(/^postgres(ql)?:\/\/./),
    expects: 'an address of PostgreSQL like postgres://user:password@host:5432/name',
    meaning: 'PostgreSQL 15 or newer. Absent: the embedded database in DATA_DIR.',
  },
  PUBLIC_ORIGIN: {
    shape: originList,
    expects: 'one origin or several with commas between, like https://duet.example',
    meaning:
      'The origins of the product; sockets of other origins are refused. Mails contain the first one. Default: localhost and 127.0.0.1 on PORT.',
  },
  OFFICE_ORIGIN: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin like https://office.duet.example',
    meaning: 'The origin of the back office, when it is not PUBLIC_ORIGIN.',
  },
  SECRET_KEY: {
    shape: z.string().min(SECRET_MIN_CHARACTERS),
    expects: `a secret of ${SECRET_MIN_CHARACTERS} characters or more`,
    meaning:
      'All keys are derived from it. Required in production; otherwise created once and stored in DATA_DIR.',
  },
  ...IDENTITY_VARIABLES,
  ...CAPTCHA_VARIABLES,
  ...TRANSLATION_VARIABLES,
  API_DOCS: {
    shape: z.enum(['on', 'off']),
    expects: 'on or off',
    meaning:
      'Serves the reference of the HTTP interface, with every call of the staff, at /api/docs. Off by default in production.',
  },
  BACKUP_RECIPIENTS: {
    shape: listed.pipe(z.array(z.string().regex(/^age1[a-z0-9]{50,}$/)).min(1)),
    expects: 'public keys of age with commas between, like age1…',
    meaning:
      'Backups are encrypted for the owners of these keys; the secret keys stay on another machine. Absent: backups are not encrypted.',
  },
  ROLES: {
    shape: listed.pipe(z.array(z.enum(ROLES)).min(1)),
    expects: `some of ${ROLES.join(', ')} with commas between`,
    meaning: 'The tasks of this process; only worker, the scheduled jobs, may be left out.',
    fallback: ROLES.join(','),
  },
  HOST: {
    shape: z.string().min(1),
    expects: 'a host name or address',
    meaning: 'The address on which the server listens.',
    fallback: '127.0.0.1',
  },
  PORT: {
    shape: port,
    expects: 'a port from 0 to 65535',
    meaning: 'The port on which the server listens.',
    fallback: '3000',
  },
  METRICS_PORT: {
    shape: port,
    expects: 'a port from 0 to 65535',
    meaning: 'Prometheus metrics at /metrics, on the loopback interface only. 0 is off.',
    fallback: '0',
  },
  DATA_DIR: {
    shape: z.string().min(1),
    expects: 'a folder',
    meaning: 'Embedded database, files and generated secrets.',
    fallback: './data',
  },
  LOG_LEVEL: {
    shape: z.enum(LOG_LEVELS),
    expects: `one of ${LOG_LEVELS.join(', ')}`,
    meaning:
      'The lowest level that is logged. Default: warn in the demo installation, otherwise info.',
  },
  DIRECT_CALLS: {
    shape: z.enum(['on', 'off']),
    expects: 'on or off',
    meaning:
      'Lets production start without a relay: the two users of a call then learn each other’s address.',
  },
  TURN_URLS: {
    shape: listed.pipe(z.array(z.string().regex(/^turns?:.+/)).min(1)),
    expects: 'TURN addresses with commas between, like turn:turn.example:3478?transport=udp',
    meaning: 'The relay between two browsers.',
  },
  TURN_SECRET: {
    shape: z.string().min(8),
    expects: 'the relay’s static-auth-secret',
    meaning: 'Signs the relay’s credentials. Must be random in production.',
  },
  TURN_ADDRESSES: {
    shape: listed.pipe(z.array(z.union([z.ipv4(), z.ipv6()])).min(1)),
    expects: 'single IP addresses with commas between',
    meaning:
      'The public addresses of the relay, if its name does not resolve to them. Only candidates with these addresses pass.',
  },
  SMTP_URL: {
    shape: z.string().regex(/^smtps?:\/\/./),
    expects: 'an address like smtps://user:password@host:465',
    meaning:
      'Sends mail; the connection uses TLS unless the server is on this machine. Required in production, unless MAIL is off. Absent elsewhere: mails are files in DATA_DIR/mails, for `duet mail list`.',
  },
  MAIL_FROM: {
    shape: z
      .string()
      .max(200)
      .regex(/^(?:[^<>@",;:\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u),
    expects: 'an address like Duet <no-reply@duet.example>',
    meaning: 'The sender of mails. Belongs to SMTP_URL.',
  },
  VAPID_PUBLIC_KEY: {
    shape: z.string().regex(/^[A-Za-z0-9_-]{87}$/),
    expects: 'a public key of Web Push: 87 characters',
    meaning:
      'With VAPID_PRIVATE_KEY: the keys of push messages. Absent: created once, in DATA_DIR/push.key.',
  },
  VAPID_PRIVATE_KEY: {
    shape: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    expects: 'a private key of Web Push: 43 characters',
    meaning: 'Belongs to VAPID_PUBLIC_KEY.',
  },
  MAIL: {
    shape: z.enum(['on', 'off']),
    expects: 'on or off',
    meaning:
      'Off lets production start without SMTP_URL: no mail is written, so no user can confirm an address or recover an account.',
    fallback: 'on',
  },
  S3_ENDPOINT: {
    shape: z.url(),
    expects: 'an address',
    meaning: 'An S3 service other than Amazon’s.',
  },
  S3_REGION: {
    shape: z.string().min(1),
    expects: 'a region',
    meaning: 'Region of the bucket.',
    fallback: 'us-east-1',
  },
  S3_BUCKET: {
    shape: z.string().min(3),
    expects: 'the name of a bucket',
    meaning:
      'Keeps uploaded files in a private bucket; the server serves them. The key needs s3:ListBucket, and reading, writing and deleting of objects. Absent: files are in DATA_DIR/files.',
  },
  S3_ACCESS_KEY_ID: {
    shape: z.string().min(1),
    expects: 'an access key',
    meaning: 'Belongs to S3_BUCKET.',
  },
  S3_SECRET_ACCESS_KEY: {
    shape: z.string().min(1),
    expects: 'a secret key',
    meaning: 'Belongs to S3_BUCKET.',
  },
  VIDEO_SANDBOX: {
    shape: z.enum(['required', 'optional']),
    expects: 'required or optional',
    meaning:
      'Production refuses videos where ffmpeg cannot be limited (prlimit) and kept from the network (unshare); optional accepts them there.',
    fallback: 'required',
  },
  TRUSTED_PROXIES: {
    shape: count(0, 10),
    expects: 'the exact number of proxies in front of this server, 0 to 10',
    meaning:
      'How many entries of X-Forwarded-For are believed, counted from the right. Required in production, where 0 says that there is none; 0 elsewhere.',
  },
  COUNTRY_HEADER: {
    shape: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/),
    expects: 'the name of a header like CF-IPCountry',
    meaning:
      'The header in which the outermost trusted proxy writes the country of a connection; needs TRUSTED_PROXIES. Absent: the country is looked up in a table of addresses.',
  },
  REGION_HEADER: {
    shape: z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/),
    expects: 'the name of a header like CF-Region-Code',
    meaning:
      'The header in which that proxy writes the state within the country, as TX or US-TX; needs COUNTRY_HEADER. Absent: no state is known, and a country of which a setting names states counts as the strictest of them.',
  },
  COUNTRY_TABLE: {
    shape: z.string().min(1),
    expects: 'a readable file of the MaxMind DB format (.mmdb)',
    meaning:
      'A newer table of addresses and countries than the shipped one. Not used with COUNTRY_HEADER.',
  },
  DATABASE_POOL: {
    shape: count(2, 200),
    expects: 'a number from 2 to 200',
    meaning: 'Connections to the database.',
    fallback: '20',
  },
  SOCKETS_MAX: {
    shape: count(1, 1_000_000),
    expects: 'a positive number',
    meaning: 'Open sockets in this process.',
    fallback: '50000',
  },
  SOCKETS_PER_ADDRESS: {
    shape: count(1, 1_000_000),
    expects: 'a positive number',
    meaning:
      'Open sockets from one network address (a /64 in IPv6); in the demo installation loopback is not limited.',
    fallback: '200',
  },
} as const satisfies Record<string, Variable>

/** The parsed variables; a variable without a value or a default is undefined. */
export type Values = {
  readonly [Name in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[Name]['shape']> | undefined
}

/** @throws StartRefused with one sentence that names the variable and what it must be */
export function readEnvironment(env: Environment): Values {
  const values: Record<string, unknown> = {}
  for (const [name, { shape, expects, fallback }] of Object.entries<Variable>(VARIABLES)) {
    const given = env[name]?.trim() || fallback
    if (given === undefined) continue
    const result = shape.safeParse(given)
    if (!result.success) throw new StartRefused(`${name} must be ${expects}.`)
    values[name] = result.data
  }
  return values as Values
}

/** The text of `docs/configuration.gen.md`. */
export function configurationPage(): string {
  const rows = Object.entries<Variable>(VARIABLES).map(
    ([name, { meaning, expects, fallback }]) =>
      `| \`${name}\` | ${meaning} | ${expects} | ${fallback ? `\`${fallback}\`` : ''} |`,
  )
  return [
    '# Configuration',
    '',
    'Generated from `apps/server/src/platform/environment.ts`. Every value comes from the environment; with an invalid value the server does not start and prints one sentence.',
    '',
    '| Variable | Meaning | Must be | Default |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

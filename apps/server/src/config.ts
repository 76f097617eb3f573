import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ALARM_VARIABLES, readAlarms } from './integrations/alarms/alarms.ts'
import { ANALYTICS_VARIABLES, readAnalytics } from './integrations/analytics/analytics-config.ts'
import { AGE_VARIABLES, readAgeProvider } from './integrations/age/age-config.ts'
import { CAPTCHA_VARIABLES, readCaptcha } from './integrations/captcha/captcha-config.ts'
import { COUNTRY_VARIABLES, readCountry } from './integrations/country/country-config.ts'
import {
  DOCUMENT_KEYS_VARIABLES,
  readDocumentKeys,
} from './integrations/document-keys/document-keys-config.ts'
import {
  FINGERPRINT_VARIABLES,
  readFingerprintPro,
} from './integrations/fingerprint/fingerprint-config.ts'
import { readSumsub, SUMSUB_VARIABLES } from './integrations/kyc/sumsub-config.ts'
import { MAIL_VARIABLES, readMail } from './integrations/mail/mail-config.ts'
import { PAYMENT_VARIABLES, readPayments } from './integrations/payments/payments-config.ts'
import {
  readStandIn,
  STAND_IN_VARIABLES,
} from './integrations/payments/stand-in/stand-in-config.ts'
import { PUSH_VARIABLES, readPushKeys } from './integrations/push/push-config.ts'
import { readS3, STORAGE_VARIABLES } from './integrations/storage/storage-config.ts'
import {
  readTranslation,
  TRANSLATION_VARIABLES,
} from './integrations/translation/translation-config.ts'
import { readTurn, TURN_VARIABLES } from './integrations/turn/turn-config.ts'
import { VIDEO_VARIABLES } from './integrations/video/video-config.ts'
import { isLoopback } from './lib/addresses/loopback.ts'
import { StartRefused } from './lib/configuration/start-refused.ts'
import {
  choice,
  type Environment,
  isOrigin,
  list,
  origin,
  readVariables,
  secret,
  showVariables,
  text,
  type Values,
} from './lib/configuration/variables.ts'
import { isWeakSecret } from './lib/configuration/weak-secret.ts'
import { ensureDataDirectory } from './platform/data-directory.ts'
import { DATABASE_VARIABLES } from './platform/database/database-variables.ts'
import { HTTP_VARIABLES } from './platform/http/http-variables.ts'

const ROLES = ['web', 'realtime', 'worker'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const SECRET_MIN_CHARACTERS = 32

/** Every variable that the server reads. `docs/configuration.gen.md` is generated from it. */
export const VARIABLES = {
  NODE_ENV: choice('development', 'test', 'production')
    .prefault('development')
    .describe(
      '`production` refuses what is unsafe; `test` compares every answer with its contract.',
    ),
  DEMO: choice('on', 'off').describe(
    'The demo installation: demo users and dialogs, sign-in with one click, free minutes. On by default without DATABASE_URL outside production. An origin on another machine needs DEMO=on or NODE_ENV=production.',
  ),
  DEMO_COMPANIONS: choice('on', 'off')
    .prefault('on')
    .describe(
      'In the demo installation: users who wait for four seconds meet demo users who are played by the server.',
    ),
  SECOND_PERSON: choice('on', 'off').describe(
    'Grants, gift cards and documents of identity wait, at the shell, for a second person in the office. On by default, off in the demo installation.',
  ),
  PUBLIC_ORIGIN: list(
    'one origin or several with commas between, like https://duet.example',
    z.url().refine(isOrigin),
  ).describe(
    'The origins of the product; sockets of other origins are refused. Mails contain the first one. Default: localhost and 127.0.0.1 on PORT.',
  ),
  OFFICE_ORIGIN: origin.meta({
    must_be: 'an origin like https://office.duet.example',
    description:
      'The origin of the back office, when it is not PUBLIC_ORIGIN: then the office and its calls are there and nowhere else, and that host has no page of users. A proxy must pass the Host header on.',
  }),
  SECRET_KEY: secret(
    `a secret of ${SECRET_MIN_CHARACTERS} characters or more`,
    SECRET_MIN_CHARACTERS,
  ).describe(
    'All keys are derived from it. Required in production; otherwise created once and stored in DATA_DIR.',
  ),
  ROLES: list(`some of ${ROLES.join(', ')} with commas between`, z.enum(ROLES))
    .prefault(ROLES.join(','))
    .describe('The tasks of this process; only worker, the scheduled jobs, may be left out.'),
  HOST: text('a host name or address')
    .prefault('127.0.0.1')
    .describe('The address on which the server listens.'),
  DATA_DIR: text('a folder')
    .prefault('./data')
    .describe('Embedded database, files and generated secrets.'),
  LOG_LEVEL: z.enum(LOG_LEVELS).meta({
    must_be: `one of ${LOG_LEVELS.join(', ')}`,
    description:
      'The lowest level that is logged. Default: warn in the demo installation, otherwise info.',
  }),
  ...DATABASE_VARIABLES,
  ...HTTP_VARIABLES,
  ...COUNTRY_VARIABLES,
  ...TURN_VARIABLES,
  ...MAIL_VARIABLES,
  ...PUSH_VARIABLES,
  ...STORAGE_VARIABLES,
  ...VIDEO_VARIABLES,
  ...TRANSLATION_VARIABLES,
  ...CAPTCHA_VARIABLES,
  ...FINGERPRINT_VARIABLES,
  ...ANALYTICS_VARIABLES,
  ...DOCUMENT_KEYS_VARIABLES,
  ...SUMSUB_VARIABLES,
  ...AGE_VARIABLES,
  ...ALARM_VARIABLES,
  ...PAYMENT_VARIABLES,
  ...STAND_IN_VARIABLES,
}

type ServerValues = Values<typeof VARIABLES>

/** Everything that an operator decides before the start. Values that may change while the server runs are in the settings table. */
export type Config = Readonly<ReturnType<typeof readConfig>>

export type ServerRole = (typeof ROLES)[number]

/**
 * The whole configuration from the environment, checked and frozen.
 * @throws StartRefused with one sentence that names the variable and what it must be
 */
export function readConfig(env: Environment) {
  const values = readVariables(VARIABLES, env)
  refuseUnsaidPurpose(values)
  const { PORT: port } = values
  const production = values.NODE_ENV === 'production'
  const demo = isDemo(values)
  const dataDir = resolve(values.DATA_DIR)
  const installation = { production, data_dir: dataDir }
  refuseUnsafe(values, demo)
  const origins = values.PUBLIC_ORIGIN ?? [`http://localhost:${port}`, `http://127.0.0.1:${port}`]
  const standIn = demo ? readStandIn(values, { port, origin: origins[0]! }) : undefined
  return Object.freeze({
    ...installation,
    demo,
    second_person: values.SECOND_PERSON === undefined ? !demo : values.SECOND_PERSON === 'on',
    demo_companions: demo && values.DEMO_COMPANIONS === 'on',
    answers_checked: values.NODE_ENV === 'test',
    database_url: values.DATABASE_URL,
    origins,
    payment_stand_in: standIn,
    payments: readPayments(values, installation, standIn?.access),
    // The same origin separates nothing.
    office_origin: origins.includes(values.OFFICE_ORIGIN ?? '') ? undefined : values.OFFICE_ORIGIN,
    office_networks: values.OFFICE_NETWORKS,
    secret_key: values.SECRET_KEY ?? readOrCreateSecret(dataDir, production),
    api_docs: values.API_DOCS === undefined ? !production : values.API_DOCS === 'on',
    backup_recipients: values.BACKUP_RECIPIENTS ?? [],
    roles: new Set(values.ROLES) as ReadonlySet<ServerRole>,
    host: values.HOST,
    port,
    metrics_port: values.METRICS_PORT,
    // On a terminal the printed addresses must stay visible among the log lines.
    log_level: values.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    trusted_proxies: values.TRUSTED_PROXIES ?? 0,
    pool_max: values.DATABASE_POOL,
    sockets_max: values.SOCKETS_MAX,
    sockets_per_address_max: values.SOCKETS_PER_ADDRESS,
    video_sandbox_required: production && values.VIDEO_SANDBOX === 'required',
    kyc_keys: readDocumentKeys(values, installation),
    sumsub: readSumsub(values, installation),
    age: readAgeProvider(values, installation),
    alarm_webhook: readAlarms(values, installation),
    fingerprint_pro: readFingerprintPro(values),
    analytics: readAnalytics(values),
    captcha: readCaptcha(values, installation),
    turn: readTurn(values, installation),
    mail: readMail(values, installation),
    push_keys: readPushKeys(values),
    s3: readS3(values, installation),
    translation: readTranslation(values, installation),
    country: readCountry(values),
    warnings: listWarnings(values, production),
    given: showVariables(VARIABLES, env),
  })
}

/**
 * An installation that other machines reach is either production or a requested demo. A forgotten NODE_ENV
 * must not start a product without the refusals of production.
 */
function refuseUnsaidPurpose(values: ServerValues): void {
  const { NODE_ENV, DEMO, HOST, PUBLIC_ORIGIN = [], OFFICE_ORIGIN } = values
  if (NODE_ENV === 'production' || DEMO === 'on') return
  if (!isLoopback(HOST))
    throw new StartRefused(
      `HOST=${HOST} lets other machines connect: set NODE_ENV=production, or DEMO=on to offer the demo installation there.`,
    )
  const foreign = [...PUBLIC_ORIGIN, ...(OFFICE_ORIGIN ? [OFFICE_ORIGIN] : [])].find(
    (one) => !isLoopback(new URL(one).hostname),
  )
  if (foreign !== undefined)
    throw new StartRefused(
      `The origin ${foreign} is on another machine: set NODE_ENV=production, or DEMO=on to offer the demo installation there.`,
    )
}

/** The demo lets every visitor sign in as its users: unless DEMO asks for it, the server offers it to its own machine only. */
function isDemo({ DEMO, NODE_ENV, DATABASE_URL }: ServerValues): boolean {
  if (DEMO !== undefined) return DEMO === 'on'
  return NODE_ENV !== 'production' && DATABASE_URL === undefined
}

function refuseUnsafe(values: ServerValues, demo: boolean): void {
  const { NODE_ENV, ROLES: roles, PUBLIC_ORIGIN = [], OFFICE_ORIGIN, SECRET_KEY } = values
  if (!roles.includes('web') || !roles.includes('realtime'))
    throw new StartRefused(
      'ROLES must contain web and realtime: one process serves pages, sockets and calls, and only worker may be left out.',
    )
  if (NODE_ENV !== 'production') return
  if (demo)
    throw new StartRefused(
      'DEMO=on is refused with NODE_ENV=production: any visitor could sign in as a demo user.',
    )
  if (values.SECOND_PERSON === 'off')
    throw new StartRefused(
      'SECOND_PERSON=off is refused with NODE_ENV=production: one person alone could grant money.',
    )
  const origins = [...PUBLIC_ORIGIN, ...(OFFICE_ORIGIN ? [OFFICE_ORIGIN] : [])]
  if (PUBLIC_ORIGIN.length === 0 || !origins.every((one) => one.startsWith('https://')))
    throw new StartRefused(
      'PUBLIC_ORIGIN must list https:// origins only when NODE_ENV is production: cameras and logins need TLS.',
    )
  if (SECRET_KEY !== undefined && isWeakSecret(SECRET_KEY))
    throw new StartRefused('SECRET_KEY must be random when NODE_ENV is production.')
  if (values.TRUSTED_PROXIES === undefined)
    throw new StartRefused(
      'TRUSTED_PROXIES must be set when NODE_ENV is production: the exact number of proxies in front of this server, or 0.',
    )
}

function listWarnings(values: ServerValues, production: boolean): string[] {
  const warnings: string[] = []
  if (production && values.DATABASE_URL === undefined) {
    warnings.push(
      'The embedded database is in use: all data are on the disk of this machine and in its backups.',
    )
  }
  if (values.TURN_URLS === undefined)
    warnings.push(
      'There is no relay (TURN_URLS): the two users of a call learn each other’s address.',
    )
  if (production && values.BACKUP_RECIPIENTS === undefined)
    warnings.push('BACKUP_RECIPIENTS is not set: backups are not encrypted.')
  if (values.MAIL === 'off')
    warnings.push('MAIL is off: no user can confirm an address or recover an account.')
  return warnings
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

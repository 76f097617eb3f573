import { deepEqual, doesNotMatch, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig, VARIABLES } from './config.ts'
import { keyFor } from './lib/derived-key.ts'
import { isWeakSecret } from './lib/configuration/weak-secret.ts'
import { configurationPage } from './lib/configuration/variables.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-config-'))
after(() => rmSync(folder, { recursive: true }))
const bare = { DATA_DIR: folder }
const production = {
  ...bare,
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://duet@db/duet',
  PUBLIC_ORIGIN: 'https://duet.example',
  SECRET_KEY: 'k8Jq0vN3-xY7bR2mW9cT5zL1pF4hD6sG',
  KYC_KEY: 'pTq0T0pXbq7v8mZ2kU5yS3nR9wE1cA6hJ4dL0fG7xYo=',
  TRUSTED_PROXIES: '1',
  TURN_URLS: 'turn:turn.example:3478',
  TURN_SECRET: 'Vt5nQ2xHb8LrZ0wKc7mJ4yPs9dGf3aEu',
  SMTP_URL: 'smtps://duet:word@mail.example:465',
  MAIL_FROM: 'Duet <no-reply@duet.example>',
}

test('a fresh clone runs the demo installation, on this machine only', () => {
  const config = readConfig(bare)
  deepEqual(
    [
      config.demo,
      config.production,
      config.host,
      config.port,
      config.database_url,
      config.log_level,
    ],
    [true, false, '127.0.0.1', 3000, undefined, 'warn'],
  )
  deepEqual(config.origins, ['http://localhost:3000', 'http://127.0.0.1:3000'])
  deepEqual([...config.roles], ['web', 'realtime', 'worker'])
  throws(() => Object.assign(config, { demo: false }), TypeError)
})

test('an absent secret is created once and readable only by its owner', () => {
  const { secret_key } = readConfig(bare)
  equal(readConfig(bare).secret_key, secret_key)
  equal(readFileSync(join(folder, 'secret.key'), 'utf8').trim(), secret_key)
  equal(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600)
})

test('every purpose has its own key', () => {
  const config = readConfig(bare)
  equal(keyFor(config, 'one').length, 32)
  deepEqual(keyFor(config, 'one'), keyFor(config, 'one'))
  notEqual(keyFor(config, 'one').toString('hex'), keyFor(config, 'two').toString('hex'))
})

test('nothing but the derivation of keys reads the secret', () => {
  const source = import.meta.dirname
  const readers = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.endsWith('.test.ts') &&
      /\bsecret_key\b/.test(readFileSync(join(source, file), 'utf8')),
  )
  deepEqual(
    readers.filter((file) => !['config.ts', 'lib/derived-key.ts'].includes(file)),
    [],
  )
})

test('a process without pages, sockets and calls is refused: nothing else would own its calls', () => {
  for (const ROLES of ['worker', 'web', 'realtime,worker'])
    throws(() => readConfig({ ...bare, ROLES }), {
      message: /^ROLES must contain web and realtime/,
    })
  deepEqual([...readConfig({ ...bare, ROLES: 'web,realtime' }).roles], ['web', 'realtime'])
})

test('an invalid value prevents the start with one sentence that names it', () => {
  const wrong: Record<string, string> = {
    NODE_ENV: 'prod',
    DIRECT_CALLS: 'yes',
    PORT: '70000',
    METRICS_PORT: 'many',
    DATABASE_URL: 'mysql://x',
    PUBLIC_ORIGIN: 'https://duet.example/path',
    OFFICE_ORIGIN: 'duet.example',
    OFFICE_NETWORKS: '203.0.113.0/33',
    SECRET_KEY: 'short',
    ROLES: 'web,cook',
    LOG_LEVEL: 'loud',
    DEMO: 'yes',
    TURN_URLS: 'http://turn',
    TURN_ADDRESSES: '0.0.0.0/0',
    SMTP_URL: 'mail.example',
    TRUSTED_PROXIES: 'all',
    COUNTRY_HEADER: 'CF IPCountry',
    COUNTRY_TABLE: '/no/such/table.mmdb',
    DATABASE_POOL: '0',
    SOCKETS_MAX: '-1',
    S3_ENDPOINT: 'nowhere',
  }
  for (const [name, value] of Object.entries(wrong)) {
    throws(
      () => readConfig({ ...bare, [name]: value }),
      { name: 'StartRefused', message: new RegExp(`^${name} must [^\\n]*\\.$`) },
      name,
    )
  }
  throws(
    () => readConfig({ ...bare, TURN_URLS: 'turn:turn.example:3478' }),
    /TURN_URLS and TURN_SECRET/,
  )
  throws(() => readConfig({ ...bare, S3_BUCKET: 'files' }), /S3_ACCESS_KEY_ID/)
  for (const TRUSTED_PROXIES of [undefined, '0'])
    throws(
      () => readConfig({ ...bare, COUNTRY_HEADER: 'CF-IPCountry', TRUSTED_PROXIES }),
      /^StartRefused: COUNTRY_HEADER must come with TRUSTED_PROXIES/,
    )
  throws(
    () => readConfig({ ...bare, REGION_HEADER: 'CF-Region-Code' }),
    /^StartRefused: REGION_HEADER must come with COUNTRY_HEADER/,
  )
})

test('an empty value counts as absent', () => {
  equal(readConfig({ ...bare, PORT: '', DATABASE_URL: ' ' }).port, 3000)
})

test('production refuses unsafe values', () => {
  ok(readConfig(production).production)
  throws(() => readConfig({ ...production, DEMO: 'on' }), /DEMO=on is refused/)
  throws(() => readConfig({ ...production, SECOND_PERSON: 'off' }), /SECOND_PERSON=off is refused/)
  equal(readConfig(production).second_person, true)
  throws(() => readConfig({ ...production, PUBLIC_ORIGIN: undefined }), /PUBLIC_ORIGIN/)
  throws(
    () => readConfig({ ...production, PUBLIC_ORIGIN: 'https://duet.example,http://duet.example' }),
    /PUBLIC_ORIGIN/,
  )
  throws(() => readConfig({ ...production, OFFICE_ORIGIN: 'http://office.example' }), /https/)
  throws(() => readConfig({ ...production, SECRET_KEY: undefined }), /SECRET_KEY/)
  for (const weak of [
    'secret'.repeat(8),
    'change-me-'.repeat(4),
    'please-CHANGEME-before-production-x1',
    'duet-k8Jq0vN3xY7bR2mW9cT5zL1pF4hD6sG',
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '98765432109876543210987654321098765432',
    'k8Jq0vN3'.repeat(4),
    `${'a'.repeat(30)}k8Jq0vN3-xY7bR2mW9cT5zL1pF4hD6sG`,
  ])
    for (const name of ['SECRET_KEY', 'TURN_SECRET'])
      throws(
        () => readConfig({ ...production, [name]: weak }),
        new RegExp(`${name} must be random`),
        weak,
      )
  throws(
    () => readConfig({ ...production, TURN_SECRET: 'change-me' }),
    /TURN_SECRET must be random/,
  )
  equal(isWeakSecret('k8Jq0vN3xY7bR2mW9cT5zduEt1pF4hD6sG'), false)
  for (let drawn = 0; drawn < 500; drawn += 1)
    for (const [bytes, form] of [
      [16, 'hex'],
      [32, 'hex'],
      [24, 'base64url'],
      [32, 'base64url'],
    ] as const) {
      const secret = randomBytes(bytes).toString(form)
      ok(!isWeakSecret(secret), secret)
    }
  equal(readConfig(production).demo, false)
})

test('no variable starts the program that plays providers of payments in production', () => {
  const given = { DEMO_PAYMENTS_PORT: '3001', DEMO_PAYMENTS_ORIGIN: 'https://pay.example' }
  const config = readConfig({ ...production, ...given })
  deepEqual([config.payment_stand_in, config.payments.access], [undefined, {}])
  equal(readConfig({ ...bare, ...given }).payment_stand_in?.port, 3001)
})

test('production asks for the number of proxies and for a relay', () => {
  throws(
    () => readConfig({ ...production, TRUSTED_PROXIES: undefined }),
    /^StartRefused: TRUSTED_PROXIES must be set/,
  )
  equal(readConfig({ ...production, TRUSTED_PROXIES: '0' }).trusted_proxies, 0)
  equal(readConfig(bare).trusted_proxies, 0)
  const direct = { ...production, TURN_URLS: undefined, TURN_SECRET: undefined }
  throws(() => readConfig(direct), /TURN_URLS must be set .* or DIRECT_CALLS=on/)
  throws(() => readConfig({ ...direct, DIRECT_CALLS: 'off' }), /DIRECT_CALLS=on/)
  match(
    readConfig({ ...direct, DIRECT_CALLS: 'on' }).warnings.join(),
    /users of a call learn each other’s address/,
  )
  match(readConfig(bare).warnings.join(), /There is no relay/)
  doesNotMatch(readConfig(production).warnings.join(), /relay/)
})

test('production warns of backups that are not encrypted', () => {
  const warned = /BACKUP_RECIPIENTS is not set/
  match(readConfig(production).warnings.join(), warned)
  const BACKUP_RECIPIENTS = `age1${'q'.repeat(58)}`
  doesNotMatch(readConfig({ ...production, BACKUP_RECIPIENTS }).warnings.join(), warned)
})

test('production asks for a mail server, or for the word that there is none', () => {
  const silent = { ...production, SMTP_URL: undefined, MAIL_FROM: undefined }
  throws(() => readConfig(silent), /SMTP_URL must be set .*MAIL=off/)
  equal(readConfig({ ...silent, MAIL: 'off' }).mail.kind, 'off')
  match(readConfig({ ...silent, MAIL: 'off' }).warnings.join(), /MAIL is off/)
  equal(readConfig(production).mail.kind, 'smtp')
  equal(readConfig(bare).mail.kind, 'folder')
  throws(() => readConfig({ ...production, MAIL_FROM: undefined }), /set together/)
  for (const from of ['a', 'a@b\r\nBcc: c@d', 'A <a@b>, <c@d>', 'a@b,c@d', '<a@b>'])
    throws(() => readConfig({ ...production, MAIL_FROM: from }), /MAIL_FROM must be/, from)
})

test('a server that other machines reach needs NODE_ENV=production or DEMO=on', () => {
  const data = { ...bare, DATABASE_URL: 'postgres://duet@db/duet' }
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', '127.duet.example'])
    for (const base of [bare, data]) {
      for (const NODE_ENV of [undefined, '', 'test', 'development'])
        for (const DEMO of [undefined, '', 'off'])
          throws(() => readConfig({ ...base, HOST, NODE_ENV, DEMO }), {
            name: 'StartRefused',
            message: /^HOST=[^ ]+ lets other machines connect: set [^\n]*\.$/,
          })
      equal(readConfig({ ...base, HOST, DEMO: 'on' }).host, HOST)
    }
  for (const HOST of ['localhost', '127.0.0.1', '127.9.9.9', '::1'])
    equal(readConfig({ ...data, HOST, DEMO: 'off' }).host, HOST)
})

test('an origin on another machine needs NODE_ENV=production or DEMO=on', () => {
  const data = { ...bare, DATABASE_URL: 'postgres://duet@db/duet' }
  for (const origins of [
    { PUBLIC_ORIGIN: 'https://duet.example' },
    { PUBLIC_ORIGIN: 'https://127.duet.example' },
    { PUBLIC_ORIGIN: 'http://localhost:3000,http://192.168.1.5:3000' },
    { OFFICE_ORIGIN: 'https://office.duet.example' },
  ]) {
    for (const NODE_ENV of [undefined, '', 'test', 'development'])
      for (const DEMO of [undefined, '', 'off'])
        for (const base of [bare, data])
          throws(() => readConfig({ ...base, ...origins, NODE_ENV, DEMO }), {
            name: 'StartRefused',
            message: /^The origin https?:[^ ]+ is on another machine: set [^\n]*\.$/,
          })
    for (const base of [bare, data])
      equal(readConfig({ ...base, ...origins, DEMO: 'on' }).demo, true)
  }
  for (const origin of ['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000']) {
    equal(readConfig({ ...bare, PUBLIC_ORIGIN: origin, OFFICE_ORIGIN: origin }).demo, true)
    equal(readConfig({ ...data, PUBLIC_ORIGIN: origin, OFFICE_ORIGIN: origin }).demo, false)
  }
})

test('the addresses of the relay are single ones, never a network that would let all candidates pass', () => {
  for (const TURN_ADDRESSES of [
    '0.0.0.0/0',
    '::/0',
    '192.0.2.0/28',
    '192.0.2.9/32',
    'turn.example',
  ])
    throws(
      () => readConfig({ ...production, TURN_ADDRESSES }),
      /TURN_ADDRESSES must be single IP addresses/,
    )
  deepEqual(
    readConfig({ ...production, TURN_ADDRESSES: '192.0.2.9, 2001:db8::9' }).turn?.addresses,
    ['192.0.2.9', '2001:db8::9'],
  )
})

test('production starts on the embedded database with a warning', () => {
  match(
    readConfig({ ...production, DATABASE_URL: undefined }).warnings.join(),
    /disk of this machine and in its backups/,
  )
  doesNotMatch(readConfig(production).warnings.join(), /embedded database/)
})

test('the demo installation is reachable from other machines only with DEMO=on', () => {
  throws(() => readConfig({ ...bare, HOST: '0.0.0.0' }), /DEMO=on/)
  equal(readConfig({ ...bare, HOST: '0.0.0.0', DEMO: 'on' }).host, '0.0.0.0')
})

test('the given variables are shown to the operator without secrets', () => {
  const { given } = readConfig(production)
  equal(given.TRUSTED_PROXIES, '1')
  for (const name of ['DATABASE_URL', 'SECRET_KEY', 'KYC_KEY', 'TURN_SECRET', 'SMTP_URL'])
    equal(given[name], '(secret)', name)
  equal('DEMO' in given, false)
})

test('the reference page lists every variable', () => {
  for (const [name, schema] of Object.entries(VARIABLES)) {
    match(configurationPage(VARIABLES), new RegExp(`\`${name}\``))
    ok(schema.description, name)
  }
})

test('the reference of the HTTP interface is off in production unless it is asked for', () => {
  equal(readConfig(bare).api_docs, true)
  equal(readConfig(production).api_docs, false)
  equal(readConfig({ ...production, API_DOCS: 'on' }).api_docs, true)
})

test('production asks for the keys of documents, outside of the data directory', () => {
  const without = { ...production, KYC_KEY: undefined }
  throws(() => readConfig(without), /KYC_KEY/)
  throws(() => readConfig({ ...production, KYC_KEY: 'short' }), /KYC_KEY must be 32 random bytes/)
  throws(() => readConfig({ ...production, KYC_KEY: 'a'.repeat(43) }), /KYC_KEY must be random/)
  throws(() => readConfig({ ...without, KYC_KEY_FILE: join(folder, 'no.key') }), /KYC_KEY_FILE/)
  throws(
    () => readConfig({ ...bare, KYC_KEY_FILE: join(folder, 'inside.key') }),
    /outside of DATA_DIR/,
  )
  throws(
    () => readConfig({ ...production, KYC_KEY_FILE: join(folder, 'both.key') }),
    /must not be set together/,
  )
  const { kyc_keys } = readConfig(production)
  deepEqual('keys' in kyc_keys && kyc_keys.keys.map(({ length }) => length), [32])
  deepEqual(readConfig(bare).kyc_keys, { file: `${folder}.kyc-key` })
})

test('the public key of the service of fingerprints comes with its secret, and the region with its address', () => {
  const secret = { FINGERPRINT_PRO_SECRET: 'a-secret-of-the-service' }
  const key = { FINGERPRINT_PRO_KEY: 'publickey1' }
  throws(() => readConfig({ ...bare, ...key }), /^StartRefused: FINGERPRINT_PRO_KEY must come with/)
  throws(
    () => readConfig({ ...bare, ...secret, FINGERPRINT_PRO_KEY: '../other' }),
    /^StartRefused: FINGERPRINT_PRO_KEY must/,
  )
  equal(readConfig({ ...bare, ...secret, ...key }).fingerprint_pro!.url, 'https://api.fpjs.io')
  const eu = readConfig({ ...bare, ...secret, FINGERPRINT_PRO_REGION: 'eu' }).fingerprint_pro!
  equal(eu.url, 'https://eu.api.fpjs.io')
})

test('a counter of statistics is a number or a measurement id, so that no address is built from it', () => {
  deepEqual(readConfig(bare).analytics, [])
  for (const counter of ['0', '12a', '1;init', '1234567890123'])
    throws(
      () => readConfig({ ...bare, YANDEX_METRICA_COUNTER: counter }),
      /^StartRefused: YANDEX_METRICA_COUNTER must be the number of a counter/,
      counter,
    )
  for (const id of ['UA-12345', 'g-abc1', 'G-A&x=1', 'https://example.org/'])
    throws(
      () => readConfig({ ...bare, GOOGLE_MEASUREMENT_ID: id }),
      /^StartRefused: GOOGLE_MEASUREMENT_ID must be a measurement id/,
      id,
    )
  deepEqual(readConfig({ ...bare, GOOGLE_MEASUREMENT_ID: 'G-ABC123' }).analytics, [
    { service: 'google', key: 'G-ABC123' },
  ])
})

test('production keeps files and age proofs behind TLS', () => {
  const s3 = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' }
  const age = { AGE_PROVIDER: 'yoti', AGE_CLIENT: 'client', AGE_SECRET: 'secret-of-it' }
  const start = (change: Record<string, string>) => readConfig({ ...production, ...change })
  throws(() => start({ ...s3, S3_ENDPOINT: 'http://files.example' }), /^StartRefused: S3_ENDPOINT/)
  throws(() => start({ ...age, AGE_URL: 'http://age.example' }), /^StartRefused: AGE_URL/)
  for (const host of ['https://files.example', 'http://127.0.0.1:9000'])
    equal(start({ ...s3, S3_ENDPOINT: host }).s3!.endpoint, host)
  equal(start({ ...age, AGE_URL: 'https://age.example' }).age!.url, 'https://age.example')
})

test('production refuses videos without a sandbox unless it is said otherwise', () => {
  equal(readConfig(production).video_sandbox_required, true)
  equal(readConfig({ ...production, VIDEO_SANDBOX: 'optional' }).video_sandbox_required, false)
  equal(readConfig(bare).video_sandbox_required, false)
})

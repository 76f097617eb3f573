import { deepEqual, equal, match, notEqual, ok, throws } from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from './config.ts'
import { keyFor } from './lib/derived-key.ts'
import { configurationPage, VARIABLES } from './platform/environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-config-'))
after(() => rmSync(folder, { recursive: true }))
const bare = { DATA_DIR: folder }
const production = {
  ...bare,
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://duet@db/duet',
  PUBLIC_ORIGIN: 'https://duet.example',
  SECRET_KEY: 'k8Jq0vN3-xY7bR2mW9cT5zL1pF4hD6sG',
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

test('an invalid value prevents the start with one sentence that names it', () => {
  const wrong: Record<string, string> = {
    PORT: '70000',
    METRICS_PORT: 'many',
    DATABASE_URL: 'mysql://x',
    REDIS_URL: 'http://x',
    PUBLIC_ORIGIN: 'https://duet.example/path',
    OFFICE_ORIGIN: 'duet.example',
    SECRET_KEY: 'short',
    ROLES: 'web,cook',
    LOG_LEVEL: 'loud',
    DEMO: 'yes',
    TURN_URLS: 'http://turn',
    SMTP_URL: 'mail.example',
    TRUSTED_PROXIES: 'all',
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
})

test('an empty value counts as absent', () => {
  equal(readConfig({ ...bare, PORT: '', DATABASE_URL: ' ' }).port, 3000)
})

test('production refuses unsafe values', () => {
  ok(readConfig(production).production)
  throws(() => readConfig({ ...production, DEMO: 'on' }), /DEMO=on is refused/)
  throws(() => readConfig({ ...production, PUBLIC_ORIGIN: undefined }), /PUBLIC_ORIGIN/)
  throws(
    () => readConfig({ ...production, PUBLIC_ORIGIN: 'https://duet.example,http://duet.example' }),
    /PUBLIC_ORIGIN/,
  )
  throws(() => readConfig({ ...production, OFFICE_ORIGIN: 'http://office.example' }), /https/)
  throws(() => readConfig({ ...production, SECRET_KEY: undefined }), /SECRET_KEY/)
  throws(
    () => readConfig({ ...production, SECRET_KEY: 'secret'.repeat(8) }),
    /SECRET_KEY must be random/,
  )
  equal(readConfig(production).demo, false)
})

test('production starts on the embedded database with a warning', () => {
  match(
    readConfig({ ...production, DATABASE_URL: undefined }).warnings.join(),
    /disk of this machine and in its backups/,
  )
  equal(
    readConfig({ ...production, TURN_URLS: 'turn:a:1', TURN_SECRET: 'long-enough' }).warnings
      .length,
    0,
  )
})

test('the demo installation is reachable from other machines only with DEMO=on', () => {
  throws(() => readConfig({ ...bare, HOST: '0.0.0.0' }), /DEMO=on/)
  equal(readConfig({ ...bare, HOST: '0.0.0.0', DEMO: 'on' }).host, '0.0.0.0')
  equal(readConfig({ ...bare, HOST: '0.0.0.0', DEMO: 'off' }).demo, false)
})

test('the reference page lists every variable', () => {
  for (const name of Object.keys(VARIABLES)) match(configurationPage(), new RegExp(`\`${name}\``))
})

test('the reference of the HTTP interface is off in production unless it is asked for', () => {
  equal(readConfig(bare).api_docs, true)
  equal(readConfig(production).api_docs, false)
  equal(readConfig({ ...production, API_DOCS: 'on' }).api_docs, true)
})

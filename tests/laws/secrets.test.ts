import { genderOf } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { act, openSocket, type WireAnswer, type WireSocket } from '@duet/testkit/wire-client.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'

/**
 * Covers every input that exists: unique words are entered wherever a user may write, and then
 * searched in logs and metrics.
 */
const canary = (what: string) => `Canary${what}${randomBytes(9).toString('hex')}`
const email = () => `${canary('mail').toLowerCase()}@duet.example`
const BIRTHDAY = '1990-05-17'

class Page {
  readonly #wire: WireSocket
  readonly #server: ServerProcess
  readonly #key: Buffer
  readonly #secrets: Set<string>
  token = ''

  constructor(server: ServerProcess, wire: WireSocket, key: Buffer, secrets: Set<string>) {
    this.#server = server
    this.#wire = wire
    this.#key = key
    this.#secrets = secrets
  }

  /** Everything that the answer returns is a secret too. */
  async act(action: string, data: object): Promise<WireAnswer> {
    const answer = await act(this.#wire, this.#key, action, data)
    if ('data' in answer) this.#collect(answer.data)
    return answer
  }

  auth(by: object = {}): Promise<WireAnswer> {
    const said = { device_type: 'web', version: '2.0.1', tab_id: crypto.randomUUID() }
    return this.act('AUTH', { ...said, ...by })
  }

  async http(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<number> {
    const response = await fetch(`${this.#server.origin}${path}`, {
      method,
      headers: { 'chat-token': this.token, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  }

  close(): void {
    this.#wire.close()
  }

  #collect(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inside] of Object.entries(value)) {
      if (/token|cipher_key|secret/.test(key) && typeof inside === 'string' && inside.length > 8) {
        this.#secrets.add(inside)
        if (key === 'token') this.token = inside
      } else this.#collect(inside)
    }
  }
}

test('no log line and no metric contains a password, token or address', async () => {
  const folder = await freshFolder('secrets')
  const metricsPort = await freePort()
  const server = new ServerProcess({
    data_dir: folder.path,
    port: await freePort(),
    env: { LOG_LEVEL: 'trace', METRICS_PORT: String(metricsPort) },
  })
  const secrets = new Set<string>()
  const secret = (value: string) => {
    secrets.add(value)
    return value
  }
  try {
    await server.start()
    const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
      data: { socket_secret_key: string }
    }
    const key = Buffer.from(system.data.socket_secret_key, 'base64')
    const page = async () =>
      new Page(server, await openSocket(server.origin, '/socket.io'), key, secrets)
    const newcomer = await page()
    const [login, password] = [secret(email()), secret(canary('Pass'))]
    await meet(newcomer, { login, password, secret })
    const returning = await page()
    equal('data' in (await returning.auth({ login, password })), true)
    await fail(returning, { login, password, secret })
    await ask(returning, secret)
    const shell = [
      '--nick',
      'Shell',
      '--email',
      secret(email()),
      '--password',
      secret(canary('Shell')),
    ]
    secret((await server.duet<{ token: string }>('user', 'add', '--role', 'guy', ...shell)).token)
    // Errors of the database contain the values of the statement.
    await server.killDatabase()
    await returning
      .act('UPDATE_PROFILE', { current_password: password, email: secret(email()) })
      .catch(() => {})
    await returning
      .auth({ login: secret(email()), password: secret(canary('Late')) })
      .catch(() => {})
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    for (const one of [newcomer, returning]) one.close()
    await server.terminate()
    ok(server.said.includes('"level"'), 'nothing was logged at all')
    deepEqual(found(secrets, { logs: server.said, metrics }), [])
  } finally {
    await server.kill()
    await folder.remove()
  }
})

interface Secrets {
  readonly login: string
  readonly password: string
  secret(value: string): string
}

/** From a guest to a member, with everything that a form takes. */
async function meet(page: Page, { login, password, secret }: Secrets): Promise<void> {
  await page.auth({ token: secret(canary('Token')) })
  await page.auth()
  await page.http('POST', '/api/age/confirm', { confirmed: true, terms: true })
  const wish = {
    nick: 'Boris',
    email: login,
    gender: genderOf('guy'),
    birthday: BIRTHDAY,
    phone: secret('+37055501998877'),
  }
  await page.act('UPDATE_PROFILE', { ...wish, password: 'x1', repeat_password: 'x2' })
  const registered = await page.act('UPDATE_PROFILE', {
    ...wish,
    password,
    repeat_password: password,
  })
  equal('data' in registered, true, JSON.stringify(registered).slice(0, 300))
}

/** Everything that is refused, with the secret in the wrong place as well. */
async function fail(page: Page, { login, password, secret }: Secrets): Promise<void> {
  await page.auth({ login, password: secret(canary('Wrong')) })
  await page.auth({
    login: secret(canary('Login')),
    password: secret(canary('Deep')),
    otp: secret(canary('Otp')),
  })
  await page.auth({ token: { token: secret(canary('Nested')) } })
  await page.act(secret(canary('Action')), { password: secret(canary('Unknown')) })
  await page.act('UPDATE_PROFILE', {
    current_password: secret(canary('Current')),
    password: secret(canary('Next')),
  })
  await page.act('UPDATE_PROFILE', {
    email: secret(canary('NoAddress')),
    current_password: password,
  })
  await page.act('UPDATE_PROFILE', {
    about: 7,
    password: [secret(canary('List'))],
    [secret(canary('Field'))]: 1,
  })
  await page.act('ADD_FAVOURITE', { user_id: secret(canary('Id')) })
}

/** Over HTTP: in headers, queries, paths and bodies, also those of no call. */
async function ask(page: Page, secret: (value: string) => string): Promise<void> {
  await page.http('GET', '/api/profile')
  await page.http('GET', '/api/profile', undefined, { 'chat-token': secret(canary('Header')) })
  await page.http('GET', `/api/forgot_password?email=${secret(canary('Query'))}`)
  await page.http('POST', '/api/recovery_password', {
    recoveryKey: secret(canary('Key')),
    password: secret(canary('New')),
  })
  await page.http('POST', `/api/log/camera?token=${secret(canary('Device'))}`, {
    device: { error: secret(canary('Label')) },
  })
  await page.http(
    'POST',
    '/api/nowhere',
    { password: secret(canary('Nowhere')) },
    { captcha: secret(canary('Captcha')) },
  )
  await page.http('GET', `/api/system?x=${secret(canary('System'))}`, undefined, {
    'user-access-token': secret(canary('Fs')),
  })
}

/** In the plain and as others write it: which secret is where. */
function found(secrets: ReadonlySet<string>, places: Record<string, string>): string[] {
  return Object.entries(places).flatMap(([place, text]) =>
    [...secrets].flatMap((secret) => {
      const spellings = [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      ]
      const at = Math.max(
        ...spellings.map((spelling) => text.toLowerCase().indexOf(spelling.toLowerCase())),
      )
      return at < 0
        ? []
        : [`${secret} in ${place}: …${text.slice(Math.max(0, at - 200), at + 100)}`]
    }),
  )
}

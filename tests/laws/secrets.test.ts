import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { act, openSocket, type WireAnswer, type WireSocket } from '@duet/testkit/wire-client.ts'
import { photoBytes } from '@duet/testkit/uploads.ts'
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
    const isForm = body instanceof FormData
    const type: Record<string, string> = isForm ? {} : { 'content-type': 'application/json' }
    const response = await fetch(`${this.#server.origin}${path}`, {
      method,
      headers: { 'chat-token': this.token, ...type, ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    await response.arrayBuffer()
    return response.status
  }

  /** Of the identity check; without one, an id that is none. */
  async challengeId(): Promise<string> {
    const response = await fetch(`${this.#server.origin}/api/kyc`, {
      headers: { 'chat-token': this.token },
    })
    const { data } = (await response.json()) as { data?: { challenge?: { id: string } } }
    return data?.challenge?.id ?? 'none'
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

test('no log line and no metric contains a password, token, address, mailed key or document', async () => {
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
    await show(returning, secret)
    const shellEmail = secret(email())
    const shell = ['--nick', 'Shell', '--email', shellEmail, '--password', secret(canary('Shell'))]
    secret((await server.duet<{ token: string }>('user', 'add', '--role', 'guy', ...shell)).token)
    await recover(server, { login: shellEmail, secret })
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
    gender: toGender('guy'),
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

/**
 * Documents with their bytes and names: a picture, a file that is no picture, and a document without a
 * challenge.
 */
async function show(page: Page, secret: (value: string) => string): Promise<void> {
  const picture = async () => {
    const bytes = await photoBytes(900)
    // The end of a file is where a copy of its bytes would be recognised.
    secret(bytes.subarray(-60, -36).toString('base64'))
    return new Blob([new Uint8Array(bytes), secret(canary('Passport'))], { type: 'image/jpeg' })
  }
  for (const front of [await picture(), new Blob([secret(canary('NoPicture'))])]) {
    const challenge_id = await page.challengeId()
    const form = new FormData()
    const fields = { type: 'passport', country: 'DE', consent: 'true', challenge_id }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('front', front, `${secret(canary('File'))}.jpg`)
    form.set('selfie', await picture(), 'selfie.jpg')
    await page.http('POST', '/api/upload_passport', form)
  }
}

/** The key of a recovery mail, asked for, read in the mail and used in a wrong and the right way. */
async function recover(
  server: ServerProcess,
  { login, secret }: Pick<Secrets, 'login' | 'secret'>,
) {
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${server.origin}/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await ask('GET', `forgot_password?email=${encodeURIComponent(login)}`)
  const recoveryKey = secret(await mailedKey(server, login))
  await ask('POST', 'recovery_password', { recoveryKey, password: 'x' })
  const password = secret(canary('Recovered'))
  const used = { recoveryKey, password, repeat_password: password }
  const first = await ask('POST', 'recovery_password', used)
  equal(first.status, 200, await first.text())
  equal((await ask('POST', 'recovery_password', used)).status, 404)
}

/** The key of the newest mail to an address, as soon as it is kept. */
async function mailedKey(server: ServerProcess, to: string): Promise<string> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const mails = await server.duet<{ id: string; to: string }[]>('mail', 'list')
    for (const { id } of mails.filter((mail) => mail.to === to)) {
      const { text } = await server.duet<{ text: string }>('mail', 'show', id)
      const [, key] = /\/recovery\/([\w-]+)/.exec(text) ?? []
      if (key !== undefined) return key
    }
  }
  throw new Error('no recovery mail was kept')
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

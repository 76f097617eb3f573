import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { IssuedChallenge } from './captcha.ts'
import { createCaptcha } from './create-captcha.ts'

const ADDRESS = '203.0.113.7'
const SECRET = Buffer.from('a secret of 32 bytes for testing')
const BINDING = { purpose: 'login', session: 'a-session' }
const OF = { session: BINDING.session, address: ADDRESS }

interface SiteVerify {
  readonly url: string
  readonly asked: Record<string, string>[]
  /** The next answer; undefined: the connection is cut. */
  answer: object | string | undefined
}

/** A stand-in of `siteverify`, which accepts a form only, as hCaptcha does. */
async function withSiteVerify(work: (stand: SiteVerify) => Promise<void>): Promise<void> {
  const stand: SiteVerify & { url: string } = { url: '', asked: [], answer: undefined }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      const isForm = request.headers['content-type']?.startsWith(
        'application/x-www-form-urlencoded',
      )
      if (stand.answer === undefined || !isForm) return request.socket.destroy()
      stand.asked.push(Object.fromEntries(new URLSearchParams(body)))
      response.end(typeof stand.answer === 'string' ? stand.answer : JSON.stringify(stand.answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stand.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  try {
    await work(stand)
  } finally {
    server.close()
  }
}

function remote(kind: 'turnstile' | 'hcaptcha', verifyUrl: string) {
  let atMs = Date.UTC(2026, 0, 1)
  const unavailable: unknown[] = []
  const captcha = createCaptcha(
    { kind, rounds: 1, key: 'site-key', secret: 'site-secret', verify_url: verifyUrl },
    {
      secret: SECRET,
      now: () => Temporal.Instant.fromEpochMilliseconds(atMs),
      onUnavailable: (error) => unavailable.push(error),
    },
  )
  return { captcha, unavailable, pass: (ms: number) => (atMs += ms) }
}

async function solved(issued: IssuedChallenge): Promise<string> {
  ok(issued.kind === 'altcha')
  const challenge = issued.challenge as Challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

test('a token of Turnstile passes for the purpose and the session that it names', () =>
  withSiteVerify(async (stand) => {
    const { captcha } = remote('turnstile', stand.url)
    deepEqual(await captcha.issue(BINDING), {
      kind: 'turnstile',
      key: 'site-key',
      action: 'login',
      cdata: 'a-session',
    })
    stand.answer = { success: true, action: 'login', cdata: 'a-session' }
    const verdict = await captcha.verify('a-token', OF)
    ok(verdict.ok)
    equal(verdict.purpose, 'login')
    deepEqual(stand.asked, [{ secret: 'site-secret', response: 'a-token', remoteip: ADDRESS }])
    stand.answer = { success: true, action: 'login', cdata: 'another-session' }
    deepEqual(await captcha.verify('a-token', OF), { ok: false, reason: 'foreign' })
    stand.answer = { success: true }
    deepEqual(await captcha.verify('a-token', OF), { ok: false, reason: 'foreign' })
    stand.answer = { success: false, 'error-codes': ['timeout-or-duplicate'] }
    deepEqual(await captcha.verify('a-token', OF), { ok: false, reason: 'invalid' })
  }))

test('a token of hCaptcha is verified with the site key and names no purpose', () =>
  withSiteVerify(async (stand) => {
    const { captcha } = remote('hcaptcha', stand.url)
    deepEqual(await captcha.issue(BINDING), { kind: 'hcaptcha', key: 'site-key' })
    stand.answer = { success: true, hostname: 'duet.example' }
    const verdict = await captcha.verify('a-token', OF)
    ok(verdict.ok)
    equal(verdict.purpose, undefined)
    equal(stand.asked[0]?.sitekey, 'site-key')
    const again = await captcha.verify('a-token', OF)
    ok(again.ok)
    equal(again.once_key, verdict.once_key, 'a copy is recognised')
  }))

test('a provider that does not answer verifies nothing, and ALTCHA is asked for until it may be back', () =>
  withSiteVerify(async (stand) => {
    for (const answer of [
      undefined,
      '<html>',
      { success: false, 'error-codes': ['invalid-input-secret'] },
    ]) {
      const { captcha, unavailable, pass } = remote('turnstile', stand.url)
      stand.answer = answer
      deepEqual(await captcha.verify('a-token', OF), { ok: false, reason: 'unavailable' })
      equal(unavailable.length, 1)
      const verdict = await captcha.verify(await solved(await captcha.issue(BINDING)), OF)
      ok(verdict.ok)
      equal(verdict.purpose, 'login')
      pass(61_000)
      equal((await captcha.issue(BINDING)).kind, 'turnstile')
    }
  }))

test('a browser that cannot load the provider gets the built-in challenge, at four times the work', () =>
  withSiteVerify(async (stand) => {
    const { captcha } = remote('turnstile', stand.url)
    deepEqual(await captcha.verify('unreachable', OF), { ok: false, reason: 'unavailable' })
    const issued = await captcha.issueBuiltIn(BINDING)
    ok(issued.kind === 'altcha')
    equal((issued.challenge as Challenge).parameters.cost, 4)
    ok((await captcha.verify(await solved(issued), OF)).ok)
    equal(stand.asked.length, 0)
  }))

test('the built-in captcha of another installation is refused', async () => {
  const parts = { now: () => Temporal.Now.instant(), onUnavailable() {} }
  const access = { kind: 'altcha', rounds: 1, key: '', secret: '', verify_url: '' } as const
  const ours = createCaptcha(access, { ...parts, secret: SECRET })
  const theirs = createCaptcha(access, { ...parts, secret: Buffer.from('another secret') })
  const payload = await solved(await theirs.issue(BINDING))
  deepEqual(await ours.verify(payload, OF), { ok: false, reason: 'invalid' })
})

import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import { modules } from '../../modules.ts'
import { module } from '../../core/module.ts'
import { hashInlineScripts, mountPages, pageFor, preferred } from './pages.ts'
import { oneSpelling } from './server.ts'

/** Sends the path as it is written: fetch would normalise it first. */
function rawStatus(origin: string, path: string, method = 'GET'): Promise<number> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    sent.once('error', reject)
    sent.end()
  })
}

story(
  'every call is below /api, with or without the leading slash it is printed with',
  async ({ boris }) => {
    equal(typeof (await boris.get('user/settings')).locale, 'string')
    equal(typeof (await boris.get('/api//user/settings')).locale, 'string')
  },
)

story('a call has one spelling: no other spelling reaches it', async ({ testApp }) => {
  const variants = [
    '/API/health',
    '/Api/health',
    '/api/Health',
    '/api/HEALTH',
    '/api/health/',
    '/api/health//',
    '//api/health',
    '///api//health',
    '/api///health',
    '/api/./health',
    '/api/x/../health',
    '/api/%68ealth',
    '/%61pi/health',
    '/api%2fhealth',
    '/api%2Fhealth',
    '/api/health%00',
    '/api/health%20',
    '/api/health.json',
    '/api/health;a=b',
    '/api/%2e/health',
    '/api/..%2fapi/health',
    '/api/heal%74h',
    '/api\\health',
    '/en/api/health',
    '/api/v2//manager/ban/impose',
    '/api/V2/manager/ban/impose',
    '/api/v2/manager/../manager/ban/impose',
    '/api/v2/%6danager/ban/impose',
  ]
  for (const path of variants) {
    const status = await rawStatus(testApp.origin, path)
    ok(status === 404 || status === 400 || status === 503, `${path} answered ${status}`)
  }
  equal(await rawStatus(testApp.origin, '/api/health'), 200)
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
    equal(await rawStatus(testApp.origin, '/api/health', method), 404, method)
})

test('spellings of /api are not mistaken for pages', () => {
  for (const path of ['/', '/apiary', '/en/profile', '/assets/a.js', '/ap', '/media/1/400?x=1'])
    equal(oneSpelling(path), path)
  equal(oneSpelling('/api//girls?page=2'), '/api/girls?page=2')
  equal(oneSpelling('/api/docs/openapi.json'), '/api/docs/openapi.json')
  equal(oneSpelling('/API/girls'), '/api/.unknown')
})

story('failures carry code, message and additional, and no stack', async ({ testApp }) => {
  const unknown = await fetch(`${testApp.origin}/api/no/such/call`)
  equal(unknown.status, 404)
  deepEqual(await unknown.json(), {
    code: 901,
    name: 'unknown_call',
    message: 'Unknown action or call',
    additional: {},
  })
  const wrong = await fetch(`${testApp.origin}/api/profile`, {
    headers: { 'chat-token': 'stolen' },
  })
  equal(wrong.status, 401)
  equal(((await wrong.json()) as { code: number }).code, 102)
  const none = await fetch(`${testApp.origin}/api/profile`)
  equal(none.status, 401)
  const guest = await fetch(`${testApp.origin}/api/profile`, {
    headers: { 'chat-token': (await testApp.guest()).token! },
  })
  equal(guest.status, 403)
  equal(((await guest.json()) as { code: number }).code, 109)
})

story(
  'an address that cannot be routed is answered as unknown, in the form of the wire',
  async ({ testApp }) => {
    for (const path of [`/media/${'1'.repeat(300)}/small`, '/media/%ff/small']) {
      const response = await fetch(`${testApp.origin}${path}`)
      equal(response.status, 404)
      equal(((await response.json()) as { code: number }).code, 901)
    }
  },
)

story('refuses a client of another major version by name', async ({ testApp }) => {
  const ask = (version: string) =>
    fetch(`${testApp.origin}/api/health`, { headers: { 'client-version': version } })
  for (const version of ['1.9.9', '3.0.0', 'x']) {
    const answer = await ask(version)
    equal(answer.status, 426)
    equal(((await answer.json()) as { code: number }).code, 902)
  }
  for (const version of ['2.0.0', '2.7.1']) equal((await ask(version)).status, 200)
})

story(
  'names the path of a bad input, and refuses an input that is too deep as a whole',
  async ({ testApp, boris }) => {
    const { fields } = (await boris.isRefused('invalid', () =>
      boris.get('favourites_pagination', { page: 0, 'per-page': 51 }),
    )) as {
      fields: { path: string }[]
    }
    deepEqual(fields.map(({ path }) => path).sort(), ['page', 'per-page'])
    const post = (body: string, type = 'application/json') =>
      fetch(`${testApp.origin}/api/ban_user`, {
        method: 'POST',
        body,
        headers: { 'content-type': type, 'chat-token': boris.token! },
      })
    equal((await post('{"user":')).status, 400)
    equal((await post('[]')).status, 400)
    equal((await post(`${'{"a":'.repeat(13)}1${'}'.repeat(13)}`)).status, 400)
    equal((await post('user=1', 'application/x-www-form-urlencoded')).status, 415)
    equal((await post('{"user":1}', 'text/plain')).status, 415)
    equal((await post(JSON.stringify({ user: 'x'.repeat(300 * 1024) }))).status, 413)
    equal((await post('{"user":1,"__proto__":{"poisoned":true}}')).status, 404)
    equal(({} as { poisoned?: boolean }).poisoned, undefined)
  },
)

story('SQL in a query is text', async ({ boris }) => {
  for (const page of ["1' or '1'='1", '1; drop table users', '1e9', '-1', '1.5', 'NaN', ' ']) {
    await boris.isRefused('invalid', () => boris.get('favourites_pagination', { page }))
  }
})

story(
  'private answers are never cached, and headers switch off the browser features that we do not use',
  async ({ testApp, boris }) => {
    const answer = await fetch(`${testApp.origin}/api/profile`, {
      headers: { 'chat-token': boris.token! },
    })
    equal(answer.headers.get('cache-control'), 'no-store')
    match(
      answer.headers.get('content-security-policy')!,
      /script-src 'self'[^;]*;.*frame-ancestors 'none'/,
    )
    match(
      answer.headers.get('content-security-policy')!,
      /;require-trusted-types-for 'script';trusted-types duet default$/,
    )
    match(answer.headers.get('permissions-policy')!, /camera=\(self\), microphone=\(self\)/)
    equal(answer.headers.get('x-content-type-options'), 'nosniff')
    equal(answer.headers.get('x-powered-by'), null)
    ok(answer.headers.get('request-id'))
  },
)

const turnstile = { CAPTCHA: 'turnstile', CAPTCHA_SITE_KEY: 'k', CAPTCHA_SECRET: 'secret-secret' }
story.with({ env: turnstile })(
  'a captcha provider is permitted in documents that may ask, and in none that must not',
  async ({ testApp }) => {
    const provider = 'https://challenges.cloudflare.com'
    const fetchDirectives = async (path: string) => {
      const { headers } = await fetch(`${testApp.origin}${path}`)
      return headers
        .get('content-security-policy')!
        .split(';')
        .filter((directive) => directive.includes(provider))
        .map((directive) => directive.trim().split(' ')[0])
    }
    const directives = ['script-src', 'style-src', 'connect-src', 'frame-src']
    for (const path of ['/', '/de/', '/profile/', '/girl/ABC'])
      deepEqual((await fetchDirectives(path)).toSorted(), directives.toSorted(), path)
    for (const path of [
      ...['/recovery/a-key', '/de/recovery/a-key', '/verification/', '/confirm/a-key', '/office'],
      ...['/unsubscribe/1.x', '/api/system', '/media/x/blur'],
    ])
      deepEqual(await fetchDirectives(path), [], path)
  },
)

story.with({ env: turnstile })(
  'a document demands Trusted Types, but for one that may load the script of a provider',
  async ({ testApp }) => {
    const demand = /trusted-types/
    for (const path of ['/', '/de/', '/profile/'])
      doesNotMatch(await fetchPolicy(testApp.origin, path), demand, path)
    for (const path of ['/recovery/a-key', '/verification/', '/office', '/api/system'])
      match(await fetchPolicy(testApp.origin, path), demand, path)
  },
)

const fingerprints = {
  FINGERPRINT_PRO_KEY: 'publickey1',
  FINGERPRINT_PRO_SECRET: 'a-secret-of-the-service',
  FINGERPRINT_PRO_REGION: 'eu',
}
story.with({ env: fingerprints })(
  'the service of fingerprints is told to browsers and permitted beside the own sources',
  async ({ testApp }) => {
    const system = (await (await fetch(`${testApp.origin}/api/system`)).json()) as SystemAnswer
    deepEqual(system.data.features.fingerprint, { on: true, key: 'publickey1', region: 'eu' })
    const policy = await fetchPolicy(testApp.origin, '/')
    match(policy, /script-src 'self' [^;]*https:\/\/fpjscdn\.net(;|$)/)
    match(
      policy,
      /connect-src 'self' [^;]*https:\/\/api\.fpjs\.io https:\/\/\*\.api\.fpjs\.io(;|$)/,
    )
    for (const path of ['/recovery/a-key', '/verification/', '/office', '/api/system'])
      doesNotMatch(await fetchPolicy(testApp.origin, path), /fpjs/, path)
  },
)

story.with({ env: { FINGERPRINT_PRO_SECRET: 'a-secret-of-the-service' } })(
  'without a public key of the service of fingerprints nothing of it is told or permitted',
  async ({ testApp }) => {
    const system = (await (await fetch(`${testApp.origin}/api/system`)).json()) as SystemAnswer
    deepEqual(system.data.features.fingerprint, { on: false })
    doesNotMatch(await fetchPolicy(testApp.origin, '/'), /fpjs/)
  },
)

interface SystemAnswer {
  data: { features: { fingerprint: object } }
}

async function fetchPolicy(origin: string, path: string): Promise<string> {
  const { headers } = await fetch(`${origin}${path}`)
  return headers.get('content-security-policy')!
}

story('too many calls from one address are 429 with the time to wait', async ({ testApp }) => {
  const answers = await together(310, () =>
    fetch(`${testApp.origin}/api/health`).then(({ status, headers }) => [
      status,
      headers.get('retry-after'),
    ]),
  )
  const late = answers.filter(([status]) => status === 429)
  equal(late.length, 10)
  equal(late[0]![1], '1')
  await testApp.advance('1 s')
  equal((await fetch(`${testApp.origin}/api/health`)).status, 200)
})

story('a client that writes X-Forwarded-For keeps its own address', async ({ testApp }) => {
  const answers = await together(310, (index) =>
    fetch(`${testApp.origin}/api/health`, {
      headers: { 'x-forwarded-for': `10.0.0.${index % 250}` },
    }),
  )
  equal(answers.filter(({ status }) => status === 429).length, 10)
})

story('serves the reference of the interface', async ({ testApp }) => {
  match(await (await fetch(`${testApp.origin}/api/docs`)).text(), /openapi|swagger/i)
  const document = (await (await fetch(`${testApp.origin}/api/docs/openapi.json`)).json()) as {
    paths: object
  }
  ok('/api/favourites_pagination' in document.paths)
})

story('a draining server is alive, not ready, and refuses calls', async ({ testApp, boris }) => {
  const before = await fetch(`${testApp.origin}/api/ready`)
  deepEqual(await before.json(), { data: { database: true, bus: true, storage: true } })
  const stopped = testApp.running.stop()
  await boris.heard('reconnect')
  equal(await boris.wire!.closed, 'transport close')
  await stopped
  await testApp.open()
  await boris.comeBack()
})

test('a page is the landing page of its language, or the app', () => {
  const built = new Set(['index.html', 'app.html', 'en/index.html', 'ar/index.html'])
  equal(pageFor(built, '/', undefined), 'en/index.html')
  equal(pageFor(built, '/', 'ar-EG,ar;q=0.9,en;q=0.5'), 'ar/index.html')
  equal(pageFor(built, '/ar', 'en'), 'ar/index.html')
  equal(pageFor(built, '/ru', 'en'), 'index.html')
  equal(pageFor(built, '/ar/profile', 'en'), 'app.html')
  equal(pageFor(built, '/profile', 'ar'), 'app.html')
  equal(pageFor(new Set(['index.html']), '/en/anything/deep', 'ar'), 'index.html')
  equal(pageFor(new Set(), '/', 'en'), undefined)
})

story('the log has no key of a mailed link', async ({ testApp }) => {
  const logged: unknown[] = []
  Object.assign(testApp.app.log, { debug: (...line: unknown[]) => logged.push(line) })
  for (const path of ['/recovery/secret-1', '/unsubscribe/secret-1', '/api/v2/secret-1?a=secret-1'])
    await (await fetch(`${testApp.origin}${path}`)).text()
  await (await fetch(`${testApp.origin}/media/secret-1/full`)).text()
  await testApp.settle()
  const text = JSON.stringify(logged)
  ok(text.includes('/media/:id/:size'), text)
  equal(text.includes('secret-1'), false, text)
})

test('the language is the first preference of the browser that the product has', () => {
  equal(preferred('xx, ru;q=0.3, de;q=0.7'), 'de')
  equal(preferred('en;q=0, *'), 'en')
  equal(preferred(undefined), 'en')
  equal(preferred('q=,;;,=='.repeat(100)), 'en')
})

const uploads = module('profile', {
  ...modules.find(({ name }) => name === 'profile'),
  endpoints: {
    'POST avatar': (async (
      _app: unknown,
      _viewer: unknown,
      input: object,
      context: RequestContext,
    ) => {
      const file = context.files?.get('img')
      return {
        avatar: JSON.stringify([
          input,
          file?.filename,
          file?.mimetype,
          file?.bytes.length,
          context.files?.size,
        ]),
        status: 'ready',
      }
    }) as never,
  },
})

story.with({ modules: [...modules.filter(({ name }) => name !== 'profile'), uploads] })(
  'files arrive with their fields, within their size limits, only from permitted senders',
  async ({ testApp, boris, gina }) => {
    const form = (bytes: number, field = 'img') => {
      const data = new FormData()
      data.set('crop', JSON.stringify({ x: 1, y: 2, size: 3 }))
      data.set(
        field,
        new Blob([new Uint8Array(bytes)], { type: 'image/png' }),
        '../../portrait.png',
      )
      return data
    }
    const { avatar } = await boris.post('avatar', form(1_000_000))
    const [, filename, type, bytes, files] = JSON.parse(avatar!) as unknown[]
    deepEqual([filename, type, bytes, files], ['portrait.png', 'image/png', 1_000_000, 1])
    equal((JSON.parse((await boris.post('avatar', form(10, 'other'))).avatar!) as unknown[])[4], 0)
    await boris.isRefused('too_large', () => boris.post('avatar', form(limits.image_bytes + 1)))
    await boris.isRefused('wrong_type', () => boris.post('avatar', { img: 'x' }))
    await gina.isRefused('registered_only', () => gina.post('avatar', form(10)))
    const torn = await fetch(`${testApp.origin}/api/avatar`, {
      method: 'POST',
      body: '--x\r\ntorn',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'chat-token': boris.token! },
    })
    equal(torn.status, 400)
  },
)

test('the pages of the office are there for its networks only', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-office-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const [app, page] of [
    ['web', 'app.html'],
    ['office', 'index.html'],
  ] as const) {
    await mkdir(join(folder, app, 'dist'), { recursive: true })
    await writeFile(join(folder, app, 'dist', page), app)
  }
  const fastify = Fastify()
  t.after(() => fastify.close())
  await mountPages(fastify, join(folder, 'web/dist'), {
    is_rebuilt: false,
    mayReachOffice: ({ ip }) => ip === '203.0.113.9',
  })
  const get = async (url: string, remoteAddress: string) =>
    (await fastify.inject({ url, remoteAddress })).body
  equal(await get('/office/setup/', '203.0.113.9'), 'office')
  match(await get('/office/setup/', '198.51.100.9'), /not_found/)
  equal(await get('/profile', '198.51.100.9'), 'web')
})

test('serves the files of a build by name, compressed where allowed, hashed names with a permanent cache, and no other file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-web-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, 'en'))
  await mkdir(join(folder, 'ar'))
  const inline = 'document.documentElement.dataset.theme = "dark"'
  await writeFile(
    join(folder, 'app.html'),
    `<script>${inline}</script><script src="/assets/a-1.js"></script>`,
  )
  await writeFile(join(folder, 'en/index.html'), 'landing')
  await writeFile(join(folder, 'ar/index.html'), 'landing in Arabic')
  await writeFile(join(folder, 'assets/a-1.js'), 'run()')
  await writeFile(join(folder, 'assets/a-1.js.br'), 'packed')
  await writeFile(join(folder, '.hidden'), 'secret')
  deepEqual(hashInlineScripts(folder), [createHash('sha256').update(inline).digest('base64')])
  const fastify = Fastify()
  t.after(() => fastify.close())
  await mountPages(fastify, folder, { is_rebuilt: false })
  const get = (url: string, headers = {}) => fastify.inject({ url, headers })
  const separate = Fastify()
  t.after(() => separate.close())
  await mountPages(separate, folder, {
    is_rebuilt: false,
    office_origin: 'https://office.example',
  })
  const at = (url: string, host: string) => separate.inject({ url, headers: { host } })
  equal((await at('/girl/anna', 'office.example')).headers.location, '/office/')
  equal((await at('/assets/a-1.js', 'office.example')).statusCode, 404)
  equal((await at('/assets/a-1.js', 'duet.example')).statusCode, 200)
  equal((await at('/office/', 'duet.example')).statusCode, 404)
  const asset = await get('/assets/a-1.js', { 'accept-encoding': 'gzip, br' })
  deepEqual(
    [asset.body, asset.headers['content-encoding'], asset.headers['cache-control']],
    ['packed', 'br', 'public, max-age=31536000, immutable'],
  )
  const plain = await get('/assets/a-1.js')
  deepEqual(
    [plain.body, plain.headers['content-type'], plain.headers.vary],
    ['run()', 'application/javascript; charset=utf-8', 'accept-encoding'],
  )
  for (const accepted of ['br;q=0, gzip', 'identity'])
    equal((await get('/assets/a-1.js', { 'accept-encoding': accepted })).body, 'run()', accepted)
  equal((await get('/assets/a-1.js', { 'if-none-match': plain.headers.etag })).statusCode, 304)
  const head = await fastify.inject({ url: '/assets/a-1.js', method: 'HEAD' })
  deepEqual([head.body, head.headers['content-length']], ['', '5'])
  const landing = await get('/')
  deepEqual(
    [landing.body, landing.headers['cache-control'], landing.headers.vary],
    ['landing', 'no-cache', 'Accept-Language, accept-encoding'],
  )
  const arabic = await get('/', { 'accept-language': 'xx, ar-EG;q=0.9, en;q=0.5' })
  deepEqual([arabic.statusCode, arabic.body], [200, 'landing in Arabic'])
  equal((await get('/ar', { 'accept-language': 'en' })).body, 'landing in Arabic')
  match((await get('/en/profile')).body, /a-1\.js/)
  for (const url of [
    '/assets/b.js',
    '/../package.json',
    '/assets/../../etc/passwd.txt',
    '/office/',
    '/.hidden.txt',
  ])
    equal((await get(url)).statusCode, 404, url)
  equal((await get('/.hidden')).body.includes('secret'), false)
  equal((await fastify.inject({ url: '/', method: 'POST' })).statusCode, 404)
})

test('outside production a file of a later build is served too', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-pages-'))
  t.after(() => rm(folder, { recursive: true }))
  const get = async (isRebuilt: boolean) => {
    const fastify = Fastify()
    t.after(() => fastify.close())
    await mountPages(fastify, folder, { is_rebuilt: isRebuilt })
    return async (url: string) => {
      const { statusCode, body } = await fastify.inject({ url })
      return [statusCode, body]
    }
  }
  const [rebuilt, production] = [await get(true), await get(false)]
  equal((await rebuilt('/'))[0], 503)
  await writeFile(join(folder, 'index.html'), 'app')
  await writeFile(join(folder, 'later.js'), 'run()')
  await writeFile(join(folder, '.hidden'), 'secret')
  deepEqual(await rebuilt('/later.js'), [200, 'run()'])
  equal((await production('/later.js'))[0], 404)
  for (const url of ['/', '/profile', '/profile/', '/.hidden', '/index.html'])
    deepEqual(await rebuilt(url), [200, 'app'], url)
  equal((await rebuilt('/never.js'))[0], 404)
  equal((await rebuilt('/../package.json'))[0], 404)
})

story.with({ env: { API_DOCS: 'off' } })(
  'the reference of the HTTP interface is not served where it is switched off',
  async ({ testApp }) => {
    for (const path of ['/api/docs', '/api/docs/openapi.json', '/api/docs/show.js'])
      equal((await fetch(`${testApp.origin}${path}`)).status, 404)
  },
)

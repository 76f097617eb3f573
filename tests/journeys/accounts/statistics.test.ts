import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import type { BrowserContext, Request } from 'playwright-core'
import { type BrowserUser, meet } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp(
    {},
    { YANDEX_METRICA_COUNTER: '12345', GOOGLE_MEASUREMENT_ID: 'G-TEST1234' },
  )
})
afterEach(() => testApp.empty())
after(() => testApp.close())

/**
 * Stands for the script of either service. It looks for all that a script could find about its visitor, and sends that
 * with each goal.
 */
const SCRIPT = `
  const found = (read) => { try { return String(read()) } catch { return 'refused' } }
  const send = (service, goal) => fetch(HOST + '/collect', {
    method: 'POST',
    mode: 'no-cors',
    body: JSON.stringify({
      service,
      goal,
      address: location.href,
      referrer: document.referrer,
      title: document.title,
      cookie: found(() => document.cookie),
      storage: found(() => JSON.stringify(localStorage)),
      page: found(() => parent.document.body.textContent),
      page_address: found(() => parent.location.href),
      origin: self.origin,
    }),
  })`
const YANDEX = `{ const HOST = 'https://mc.yandex.ru'; ${SCRIPT}
  window.ym = (counter, what, goal) => what === 'reachGoal' && send('yandex ' + counter, goal) }`
const GOOGLE = `{ const HOST = 'https://region1.google-analytics.com'; ${SCRIPT}
  const take = ([what, goal]) => what === 'event' && send('google', goal)
  window.dataLayer.push = (call) => take(call) }`

interface Visited {
  /** Every request that left to a service. */
  readonly requests: Request[]
  readonly goals: () => Record<string, string>[]
}

async function standIn(context: BrowserContext): Promise<Visited> {
  const requests: Request[] = []
  await context.route(/yandex|google/, async (route) => {
    requests.push(route.request())
    const url = route.request().url()
    if (url.endsWith('/collect')) return route.fulfill({ status: 204 })
    return route.fulfill({
      contentType: 'text/javascript',
      body: url.includes('yandex') ? YANDEX : GOOGLE,
    })
  })
  return {
    requests,
    goals: () =>
      requests
        .filter((request) => request.method() === 'POST')
        .map((request) => JSON.parse(request.postData()!) as Record<string, string>),
  }
}

const answer = (user: BrowserUser, name: string) =>
  user.page
    .getByRole('region', { name: 'May Duet count your calls?' })
    .getByRole('button', { name, exact: true })

test('nothing leaves to a service before the permission, then a goal without an identity, and nothing after it is withdrawn', async () => {
  const [vera, boris] = await Promise.all([
    testApp.enter('Sofia', 'desktop'),
    testApp.enter('Alex', 'phone'),
  ])
  const hers = await standIn(vera.page.context())
  const his = await standIn(boris.page.context())
  await answer(vera, "Don't allow").click()
  await boris.sees(answer(boris, 'Allow'))
  equal(his.requests.length, 0)
  await answer(boris, 'Allow').click()
  await meet(vera, boris)
  await until('both services', async () => his.goals().length >= 2 || undefined)
  deepEqual(
    his
      .goals()
      .map(({ service, goal }) => [service, goal])
      .toSorted(),
    [
      ['google', 'random_video_chat'],
      ['yandex 12345', 'random_video_chat'],
    ],
  )
  for (const goal of his.goals()) {
    const { service: _service, goal: _goal, ...found } = goal
    deepEqual(found, {
      address: new URL('/statistics', boris.page.url()).href,
      referrer: '',
      title: 'Duet',
      cookie: 'refused',
      storage: 'refused',
      page: 'refused',
      page_address: 'refused',
      origin: 'null',
    })
  }
  const sent = await Promise.all(
    his.requests.map(async (request) =>
      JSON.stringify([request.url(), await request.allHeaders(), request.postData()]),
    ),
  )
  const token = await boris.page.evaluate(() => localStorage.getItem('duet.token'))
  ok(token && token.length > 10)
  for (const text of sent) {
    doesNotMatch(text, /alex|sofia|@|\/girl|user_id/i)
    ok(!text.includes(JSON.parse(token) as string))
  }
  equal(hers.requests.length, 0, 'she refused')
  await boris.presses('End the call')
  await boris.page.goto(new URL('/privacy', boris.page.url()).href)
  await boris.page.getByRole('switch', { name: /Statistics/ }).click()
  const before = his.requests.length
  await boris.page.goto(new URL('/', boris.page.url()).href)
  await meet(await testApp.enter('Mira', 'desktop'), boris)
  equal(his.requests.length, before)
})

import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '@duet/testkit/test-app.ts'
import { GOALS } from '@duet/protocol/kernel/entities.ts'
import { type GoalWindow, sendGoals, startGoogle, startYandex } from './send-goals.ts'

const OPTIONS = {
  counters: [
    { service: 'yandex', key: '12345' },
    { service: 'google', key: 'G-TEST1234' },
  ],
  goals: GOALS,
  page: 'https://duet.example/statistics',
  retry_ms: 500,
  tries: 20,
} as const

/** A frame with a clock of its own: `load` runs the script of a service, `say` is a message of the page. */
function openFrame() {
  const scripts: { src: string; onload: (() => void) | null }[] = []
  const timers: { run: () => void; at: number }[] = []
  const parent = {}
  let now = 0
  let listen: (event: { source: unknown; data: unknown }) => void = () => {}
  const window: GoalWindow = {
    document: {
      head: { append: (script) => void scripts.push(script) },
      createElement: () => ({ src: '', onload: null }),
    },
    parent,
    addEventListener: (_type, listener) => (listen = listener),
    setTimeout: (run, ms) => timers.push({ run, at: now + ms }),
  }
  sendGoals(window, OPTIONS, { yandex: startYandex, google: startGoogle })
  const [yandex, google] = scripts
  const sent = { yandex: [] as unknown[][], google: [] as unknown[][] }
  return {
    scripts,
    sent,
    say: (data: unknown, source: unknown = parent) => listen({ source, data }),
    loadYandex() {
      // The script takes the calls that its stub keeps, and then answers by itself.
      for (const call of (window.ym?.a ?? []) as unknown[][]) sent.yandex.push(call)
      window.ym = (...call: unknown[]) => void sent.yandex.push(call)
      yandex!.onload!()
    },
    loadGoogle() {
      google!.onload!()
      for (const call of window.dataLayer!) sent.google.push([...(call as unknown[])])
      window.dataLayer!.push = (call: unknown) => sent.google.push([...(call as unknown[])])
    },
    advance(ms: number) {
      const end = now + ms
      while (now < end) {
        now += 1
        const due = timers.filter(({ at }) => at === now)
        for (const timer of due) timers.splice(timers.indexOf(timer), 1)
        for (const { run } of due) run()
      }
    },
    waiting: () => timers.length,
  }
}

const reached = (calls: unknown[][]) =>
  calls.filter(([, what]) => what === 'reachGoal').map(([, , goal]) => goal)
const events = (calls: unknown[][]) =>
  calls.filter(([what]) => what === 'event').map(([, goal]) => goal)

test('a goal goes to both services', () => {
  const frame = openFrame()
  frame.loadYandex()
  frame.loadGoogle()
  frame.say('random_video_chat')
  frame.say('direct_call')
  deepEqual(reached(frame.sent.yandex), ['random_video_chat', 'direct_call'])
  deepEqual(events(frame.sent.google), ['random_video_chat', 'direct_call'])
})

test('a service that is not there yet is tried every 500 ms, and the other one does not wait', () => {
  const frame = openFrame()
  frame.loadGoogle()
  frame.say('direct_call')
  deepEqual(events(frame.sent.google), ['direct_call'])
  frame.advance(1100)
  frame.loadYandex()
  deepEqual(reached(frame.sent.yandex), [])
  frame.advance(300)
  deepEqual(reached(frame.sent.yandex), [], 'between two tries')
  frame.advance(100)
  deepEqual(reached(frame.sent.yandex), ['direct_call'])
  frame.advance(20_000)
  deepEqual(reached(frame.sent.yandex), ['direct_call'])
  deepEqual(events(frame.sent.google), ['direct_call'])
})

test('after 20 tries a goal is dropped, and the next one has its own tries', () => {
  const frame = openFrame()
  frame.say('random_video_chat')
  frame.advance(9400)
  equal(frame.waiting(), 2, 'the last try of each service is at 9.5 s')
  frame.advance(100)
  equal(frame.waiting(), 0)
  frame.loadYandex()
  frame.loadGoogle()
  frame.say('direct_call')
  frame.advance(20_000)
  deepEqual(reached(frame.sent.yandex), ['direct_call'])
  deepEqual(events(frame.sent.google), ['direct_call'])
})

test('only goals of the list, and only from the page around the frame, are sent', () => {
  const frame = openFrame()
  frame.loadYandex()
  frame.loadGoogle()
  for (const data of ['purchase', '', 'direct_call?id=7', { goal: 'direct_call' }, ['direct_call']])
    frame.say(data)
  frame.say('direct_call', {})
  frame.advance(20_000)
  deepEqual(reached(frame.sent.yandex), [])
  deepEqual(events(frame.sent.google), [])
})

test('the services are told to count nothing else and learn no address but the one of the frame', () => {
  const frame = openFrame()
  frame.loadYandex()
  frame.loadGoogle()
  deepEqual(
    frame.scripts.map(({ src }) => src),
    [
      'https://mc.yandex.ru/metrika/tag.js',
      'https://www.googletagmanager.com/gtag/js?id=G-TEST1234',
    ],
  )
  const [, init, options] = frame.sent.yandex[0]!
  equal(init, 'init')
  deepEqual(options, {
    defer: true,
    webvisor: false,
    clickmap: false,
    trackLinks: false,
    trackHash: false,
    accurateTrackBounce: false,
    sendTitle: false,
  })
  const [, , config] = frame.sent.google.find(([what]) => what === 'config')!
  deepEqual(config, {
    send_page_view: false,
    page_location: OPTIONS.page,
    page_referrer: '',
    page_title: 'Duet',
    client_storage: 'none',
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
  })
})

const CLOSED_FRAMES = /frame-src 'none'/

story(
  'without a service there is no frame, and the policy of pages permits none',
  async ({ testApp }) => {
    const { headers } = await fetch(`${testApp.origin}/`)
    match(headers.get('content-security-policy')!, CLOSED_FRAMES)
    equal((await fetch(`${testApp.origin}/statistics`)).status, 404)
    const system = (await (await fetch(`${testApp.origin}/api/system`)).json()) as SystemAnswer
    deepEqual(system.data.features.analytics, { on: false })
  },
)

const both = { YANDEX_METRICA_COUNTER: '12345', GOOGLE_MEASUREMENT_ID: 'G-TEST1234' }
story.with({ env: both })(
  'the hosts of the services are permitted in the frame of statistics and in no other document',
  async ({ testApp }) => {
    const policy = async (path: string) =>
      (await fetch(`${testApp.origin}${path}`)).headers.get('content-security-policy')!
    const frame = await policy('/statistics')
    match(frame, /script-src 'nonce-[^']+' https:\/\/mc\.yandex\.ru [^;]*googletagmanager\.com;/)
    match(frame, /sandbox allow-scripts$/)
    match(frame, /frame-ancestors 'self'/)
    for (const path of ['/', '/profile/', '/girl/ABC']) {
      const page = await policy(path)
      match(page, /frame-src 'self'(;|$)/, path)
      match(page, /require-trusted-types-for 'script'/, path)
      doesNotMatch(page, /yandex|google/, path)
    }
    for (const path of ['/recovery/a-key', '/verification/', '/office', '/api/system'])
      match(await policy(path), CLOSED_FRAMES, path)
    const system = (await (await fetch(`${testApp.origin}/api/system`)).json()) as SystemAnswer
    deepEqual(system.data.features.analytics, {
      on: true,
      counters: [
        { service: 'yandex', key: '12345' },
        { service: 'google', key: 'G-TEST1234' },
      ],
    })
  },
)

story.with({
  env: { ...both, CAPTCHA: 'turnstile', CAPTCHA_SITE_KEY: 'k', CAPTCHA_SECRET: 'secret-secret' },
})('the frame of statistics loads nothing of a captcha provider', async ({ testApp }) => {
  const { headers } = await fetch(`${testApp.origin}/statistics`)
  doesNotMatch(headers.get('content-security-policy')!, /cloudflare/)
})

interface SystemAnswer {
  data: { features: { analytics: object } }
}

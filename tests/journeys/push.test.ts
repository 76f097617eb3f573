import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'

const WORKER = readFileSync(
  join(import.meta.dirname, '../../apps/web/public/push-worker.js'),
  'utf8',
)

/** The worker of the product on a page of its own: what it shows depends on the browser alone. */
const server = createServer((request, response) => {
  const isWorker = request.url === '/push-worker.js'
  response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html')
  response.end(isWorker ? WORKER : '<!doctype html><title>Duet</title>')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless=new', '--no-sandbox', '--disable-gpu'],
})
after(async () => {
  await browser.close()
  server.close()
})

interface Device {
  readonly context: BrowserContext
  readonly page: Page
  deliver(message: unknown): Promise<void>
  /** The messages that the browser shows. */
  shown(): Promise<{ title: string; body: string; tag: string; dir: string; data: unknown }[]>
}

async function openDevice(): Promise<Device> {
  const context = await browser.newContext()
  await context.grantPermissions(['notifications'], { origin })
  const page = await context.newPage()
  await page.goto(origin)
  const cdp = await context.newCDPSession(page)
  const registrationId = await registered(cdp, page)
  return {
    context,
    page,
    async deliver(message) {
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: typeof message === 'string' ? message : JSON.stringify(message),
      })
    },
    shown: () =>
      page.evaluate(async () => {
        const registration = (await navigator.serviceWorker.getRegistration('/'))!
        const notices = await registration.getNotifications()
        return notices.map(({ title, body, tag, dir, data }) => ({
          title,
          body,
          tag,
          dir,
          data: data as unknown,
        }))
      }),
  }
}

async function registered(cdp: CDPSession, page: Page): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [registration] = registrations
    if (registration) resolve(registration.registrationId)
  })
  await cdp.send('ServiceWorker.enable')
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/push-worker.js')
    await navigator.serviceWorker.ready
  })
  return promise
}

/** Resolves when the worker has handled every message that it was given: it answers in order. */
async function handled({ context }: Device): Promise<void> {
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)))
}

const message = {
  title: 'Duet',
  body: 'Anna is online now',
  url: '/girl/ABC',
  tag: 'about-7',
  lang: 'en',
  dir: 'ltr',
}

test('a push message is shown while no window of Duet is visible, and not twice', async () => {
  const device = await openDevice()
  await device.deliver(message)
  await handled(device)
  deepEqual(await device.shown(), [])
  // The window shows another site, so that no window of Duet is left.
  await device.page.goto('about:blank')
  await device.deliver(message)
  await device.deliver({ ...message, body: 'Anna is online again' })
  await handled(device)
  await device.page.goto(origin)
  deepEqual(await device.shown(), [
    {
      title: 'Duet',
      body: 'Anna is online again',
      tag: 'about-7',
      dir: 'ltr',
      data: { url: '/girl/ABC' },
    },
  ])
  await device.context.close()
})

test('a call is shown until its end, which shows nothing where no call was shown', async () => {
  const device = await openDevice()
  const ring = (ring: string, tag: string, body = `${ring} ${tag}`) => ({
    ...message,
    ring,
    tag,
    body,
  })
  const bodies = async () => {
    await handled(device)
    await device.page.goto(origin)
    const shown = (await device.shown()).map(({ body }) => body)
    await device.page.goto('about:blank')
    return shown.toSorted()
  }
  await device.page.goto('about:blank')
  for (const tag of ['ring-1', 'ring-2']) await device.deliver(ring('ringing', tag))
  deepEqual(await bodies(), ['ringing ring-1', 'ringing ring-2'])
  await device.deliver(ring('over', 'ring-1'))
  await device.deliver(ring('missed', 'ring-2'))
  await device.deliver(ring('over', 'ring-3'))
  deepEqual(await bodies(), ['over ring-1'])
  await device.context.close()
})

test('a message that is no message shows nothing', async () => {
  const device = await openDevice()
  await device.page.goto('about:blank')
  for (const wrong of ['', 'no json', '[]', '7', { title: 'x' }, { body: 7 }])
    await device.deliver(wrong)
  await handled(device)
  await device.page.goto(origin)
  deepEqual(await device.shown(), [])
  await device.context.close()
})

test('a press tells the open window the page, and never one of another site', async () => {
  const device = await openDevice()
  await device.page.evaluate(() => {
    const paths: unknown[] = []
    Object.assign(globalThis, { paths })
    navigator.serviceWorker.addEventListener('message', ({ data }) => paths.push(data))
  })
  const [worker] = device.context.serviceWorkers()
  const pressed = (url: string) =>
    worker!.evaluate(async (url) => {
      const scope = globalThis as unknown as {
        registration: {
          showNotification(title: string, options: object): Promise<void>
          getNotifications(filter: { tag: string }): Promise<object[]>
        }
        dispatchEvent(event: Event): void
        NotificationEvent: new (type: string, init: object) => Event
      }
      // A tag of its own: the end of the press before it closes the notification of its tag.
      await scope.registration.showNotification('Duet', { tag: url, data: { url } })
      const [notification] = await scope.registration.getNotifications({ tag: url })
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    }, url)
  await pressed('https://evil.example/')
  await pressed('//evil.example/')
  await pressed('/girl/ABC')
  await handled(device)
  deepEqual(await device.page.evaluate(() => Reflect.get(globalThis, 'paths') as unknown[]), [
    { type: 'open_page', path: '/girl/ABC' },
  ])
  equal((await device.shown()).length, 0)
  await device.context.close()
})

test('the worker answers no request and keeps no file', async () => {
  const device = await openDevice()
  await device.page.reload()
  const caches = await device.page.evaluate(() => globalThis.caches.keys())
  deepEqual(caches, [])
  const [worker] = device.context.serviceWorkers()
  equal(
    await worker!.evaluate(
      () => 'onfetch' in globalThis && Reflect.get(globalThis, 'onfetch') !== null,
    ),
    false,
  )
  await device.context.close()
})

/**
 * Shows push messages while no window of Duet is visible: a visible one shows them itself. It answers no requests and keeps no
 * files, so a new version of the application never waits for it.
 */
/** Safari ends the subscription of a worker that shows nothing for some messages, so there it is shown and closed. */
const MUST_SHOW = /^((?!chrome|chromium|android).)*safari/i.test(self.navigator.userAgent)

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  event.waitUntil(show(messageIn(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url))
})

function messageIn(data) {
  try {
    return data?.json()
  } catch {
    return undefined
  }
}

async function windows() {
  return self.clients.matchAll({ type: 'window', includeUncontrolled: true })
}

async function show(message) {
  if (typeof message?.body !== 'string') return
  const isSeen = (await windows()).some(({ visibilityState }) => visibilityState === 'visible')
  if (isSeen && !MUST_SHOW) return
  const { title, body, tag, lang, dir, url, ring } = message
  const isEnd = ring === 'over' || ring === 'missed'
  // The end of a call replaces its message. Where no such message is shown, there is nothing to end.
  const shown = isEnd ? await self.registration.getNotifications({ tag }) : []
  if (ring === 'missed') for (const one of shown) one.close()
  if (isEnd && (ring === 'missed' || shown.length === 0)) return
  await self.registration.showNotification(String(title), {
    body,
    tag,
    lang,
    dir: dir === 'rtl' ? 'rtl' : 'ltr',
    icon: '/favicon.svg',
    data: { url },
    // A call stays on the screen until it is answered or over.
    ...(ring === 'ringing' && { requireInteraction: true, vibrate: [400, 200, 400, 200, 400] }),
    ...(isEnd && { silent: true }),
  })
  if (!isSeen) return
  const toClose = await self.registration.getNotifications(tag === undefined ? {} : { tag })
  for (const notification of toClose) notification.close()
}

/** An open window decides itself whether it leaves its page: it may show a call. */
async function open(path) {
  const url = new URL(typeof path === 'string' ? path : '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  const open = await windows()
  const window =
    open.find(({ focused }) => focused) ??
    open.find(({ visibilityState }) => visibilityState === 'visible') ??
    open[0]
  if (!window) {
    await self.clients.openWindow(url.href)
    return
  }
  window.postMessage({ type: 'open_page', path: url.pathname })
  // A browser may not let it come to the front.
  await window.focus().catch(() => {})
}

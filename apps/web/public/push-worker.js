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
  if (await endsRing(message)) return
  await self.registration.showNotification(String(message.title), getOptions(message))
  if (isSeen) await closeNotifications(message.tag)
}

/** True if the message ends a call and shows nothing itself. */
async function endsRing({ ring, tag }) {
  if (ring === 'missed') {
    await closeNotifications(tag)
    return true
  }
  // The end of a call replaces its message. Where no such message is shown, there is nothing to end.
  return ring === 'over' && (await self.registration.getNotifications({ tag })).length === 0
}

function getOptions({ body, tag, lang, dir, url, ring }) {
  return {
    body,
    tag,
    lang,
    dir: dir === 'rtl' ? 'rtl' : 'ltr',
    icon: '/favicon.svg',
    data: { url },
    // A call stays on the screen until it is answered or over.
    ...(ring === 'ringing' && { requireInteraction: true, vibrate: [400, 200, 400, 200, 400] }),
    ...(ring === 'over' && { silent: true }),
  }
}

async function closeNotifications(tag) {
  const shown = await self.registration.getNotifications(tag === undefined ? {} : { tag })
  for (const notification of shown) notification.close()
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

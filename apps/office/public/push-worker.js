/** Shows alarms of the back office. Their text names no case. A press opens the office. */
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  event.waitUntil(show(messageIn(event.data)))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open())
})

function messageIn(data) {
  try {
    return data?.json()
  } catch {
    return undefined
  }
}

async function show(message) {
  if (typeof message?.body !== 'string') return
  const { title, body } = message
  const options = { body, tag: 'alarm', renotify: true, icon: '/office/favicon.svg' }
  await self.registration.showNotification(String(title), { ...options, requireInteraction: true })
}

async function open() {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const office = windows.find(({ url }) => new URL(url).pathname.startsWith('/office/'))
  // A browser may not let it come to the front.
  if (office) return office.focus().catch(() => {})
  return self.clients.openWindow('/office/')
}

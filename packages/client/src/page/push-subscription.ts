import type { PushSubscription as BrowserAddress } from '@duet/protocol/contracts/notices.ts'
import { trustedScript } from './trusted-scripts.ts'

/** Registers the worker that shows push messages, and returns where this browser takes them. The permission is there. */
export async function subscribeToPush(worker: string, key: string): Promise<BrowserAddress> {
  const registration = await navigator.serviceWorker.register(trustedScript(worker))
  await activated(registration)
  const { pushManager } = registration
  const before = await pushManager.getSubscription()
  // If the installation has a new key, the push service refuses its messages for the old subscription.
  const isCurrent = before && base64Url(before.options.applicationServerKey) === key
  if (before && !isCurrent) await before.unsubscribe()
  const subscription =
    (isCurrent ? before : undefined) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  return toAddress(subscription)
}

/** Where this browser takes the messages of a worker, if it does. */
export async function currentPush(worker: string): Promise<BrowserAddress | undefined> {
  const subscription = await (await findRegistration(worker))?.pushManager.getSubscription()
  return subscription ? toAddress(subscription) : undefined
}

/** The worker of this browser takes no more messages, and those on the screen are closed. */
export async function endPush(worker: string): Promise<void> {
  const registration = await findRegistration(worker)
  if (!registration) return
  for (const notification of await registration.getNotifications()) notification.close()
  await (await registration.pushManager.getSubscription())?.unsubscribe()
}

async function findRegistration(worker: string): Promise<ServiceWorkerRegistration | undefined> {
  return navigator.serviceWorker.getRegistration(worker)
}

/** `ready` would wait for a worker of the page, which a page outside the scope of this worker never has. */
async function activated({ installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting
  if (!worker || worker.state === 'activated') return
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated' || worker.state === 'redundant') resolve()
    })
  })
}

function toAddress(subscription: PushSubscription): BrowserAddress {
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('The browser gave no keys for push')
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
}

function base64Url(key: ArrayBuffer | null): string | undefined {
  if (!key) return undefined
  const text = String.fromCharCode(...new Uint8Array(key))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

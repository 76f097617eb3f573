import type { Features } from '@duet/protocol/contracts/system.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { goTo } from '../../shared/navigation/go-to.ts'
import { trustedScript } from '../../shared/navigation/trusted-scripts.ts'

type Services = Pick<AppServices, 'connection' | 'persistence'>
type Connection = AppServices['connection']
type PushFeature = Features['push']

const WORKER = '/push-worker.js'

/** `asked`: the browser's question has no answer yet. `denied`: only the settings of the browser can change it. */
export type PushPermission = 'unsupported' | 'asked' | 'granted' | 'denied'

export function pushPermission(feature: PushFeature | undefined): PushPermission {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported || !feature?.on || !feature.key) return 'unsupported'
  return Notification.permission === 'default' ? 'asked' : Notification.permission
}

/** After a press of the user asks for permission, and sends the server the push address of this browser. */
export async function turnPushOn(
  { connection, persistence }: Services,
  key: string,
): Promise<PushPermission> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'asked'
  await subscribe(connection, key)
  persistence.set('push_user_id', connection.getSnapshot().auth?.user.id)
  return 'granted'
}

/** Whether this user asked for messages in this browser. Its permission may have been given by another user. */
export function isPushOn({ persistence }: Pick<Services, 'persistence'>, user_id: number): boolean {
  return persistence.get('push_user_id') === user_id
}

async function subscribe(connection: Connection, key: string): Promise<void> {
  const registration = await navigator.serviceWorker.register(trustedScript(WORKER))
  await navigator.serviceWorker.ready
  const { pushManager } = registration
  const before = await pushManager.getSubscription()
  // If the installation has a new key, the push service refuses its messages for the old subscription.
  const isCurrent = before && base64Url(before.options.applicationServerKey) === key
  if (before && !isCurrent) await before.unsubscribe()
  const subscription =
    (isCurrent ? before : undefined) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const { endpoint, keys } = subscription.toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('The browser gave no keys for push')
  await connection.act('UPDATE_PUSH', {
    subscription: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } },
  })
}

function base64Url(key: ArrayBuffer | null): string | undefined {
  if (!key) return undefined
  const text = String.fromCharCode(...new Uint8Array(key))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** This browser takes no more messages of this user. */
export async function turnPushOff({ connection, persistence }: Services): Promise<void> {
  persistence.set('push_user_id', undefined)
  await connection.act('UPDATE_PUSH', { subscription: null })
}

/** At a log-out, also without a connection: the next user of this device reads no messages of the former user. */
async function endPushHere(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  if (!registration) return
  for (const notification of await registration.getNotifications()) notification.close()
  await (await registration.pushManager.getSubscription())?.unsubscribe()
}

/**
 * At each login of a member with push messages in this browser, sends the browser's current push address. When the user
 * presses a push message, opens its page. Asks for no permission.
 */
export function followPush({ connection, persistence }: Services): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const path = pathIn(data)
    // A call is not left for a message.
    if (path && !connection.getSnapshot().auth?.active_session) goTo(path)
  })
  connection.on('logout', () => void endPushHere().catch(() => {}))
  let refreshed: number | undefined
  followConnection(connection, {
    ownRecord(auth, before) {
      const user = auth?.user
      // A log-out ended the address on the server.
      if (user?.id !== before?.user.id) refreshed = undefined
      const isReady = connection.getSnapshot().phase === 'ready'
      if (!isReady || !user?.noty_push || refreshed === user.id) return
      if (!isPushOn({ persistence }, user.id)) return
      refreshed = user.id
      void refresh(connection).catch(() => {})
    },
  })
}

async function refresh(connection: Connection): Promise<void> {
  const { push } = (await connection.system()).features
  if (pushPermission(push) === 'granted' && push.key) await subscribe(connection, push.key)
}

/** Only a path of this site: `//host` would be another site. */
function pathIn(data: unknown): string | undefined {
  const { type, path } = (data ?? {}) as { type?: unknown; path?: unknown }
  if (type !== 'open_page' || typeof path !== 'string') return undefined
  return /^\/(?!\/)/.test(path) ? path : undefined
}

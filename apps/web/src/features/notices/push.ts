import { endPush, subscribeToPush } from '@duet/client/page/push-subscription.ts'
import type { Features } from '@duet/protocol/contracts/system.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { goTo } from '../../shared/navigation/go-to.ts'

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
  await connection.act('UPDATE_PUSH', { subscription: await subscribeToPush(WORKER, key) })
}

/** This browser takes no more messages of this user. */
export async function turnPushOff({ connection, persistence }: Services): Promise<void> {
  persistence.set('push_user_id', undefined)
  await connection.act('UPDATE_PUSH', { subscription: null })
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
  // Also without a connection: the next user of this device reads no messages of the former user.
  connection.on('logout', () => void endPush(WORKER).catch(() => {}))
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

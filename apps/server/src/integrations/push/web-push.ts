import { ECDH } from 'node:crypto'
import type { Agent } from 'node:https'
import webPush from 'web-push'
import type { PushKeys, PushSender, PushTarget } from './push.ts'

/** The push services of the browsers: an exact name, or a suffix that begins with a dot. */
const SERVICES = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
]
const TIMEOUT_MS = 10_000
const POINT_BYTES = 65
const AUTH_BYTES = 16
const GONE: ReadonlySet<number> = new Set([404, 410])
/** The message is wrong: repeating it does not help. */
const REFUSED: ReadonlySet<number> = new Set([400, 413])
const FORBIDDEN: ReadonlySet<number> = new Set([401, 403])

export interface WebPushOptions {
  readonly keys: PushKeys
  /** Where a push service reaches the operator: an address of the web or of mail. */
  readonly subject: string
  /** Hosts of further push services, with their ports. */
  readonly hosts?: readonly string[]
  readonly agent?: Agent
}

/** Web Push (RFC 8030): the payload is encrypted for the browser (RFC 8291), the request signed by the server (RFC 8292). */
export function createWebPush({ keys, subject, hosts = [], agent }: WebPushOptions): PushSender {
  const vapidDetails = {
    subject,
    publicKey: keys.public_key,
    privateKey: keys.private_key,
  }
  return {
    public_key: keys.public_key,
    isAccepted({ endpoint, ...keys }) {
      if (!hasUsableKeys(keys) || !URL.canParse(endpoint)) return false
      const { protocol, host, username, password } = new URL(endpoint)
      if (protocol !== 'https:' || username || password) return false
      // `host` has a port only where it is not 443.
      return (
        hosts.includes(host) ||
        SERVICES.some((name) => (name.startsWith('.') ? host.endsWith(name) : host === name))
      )
    },
    async send({ endpoint, p256dh, auth }, { payload, ttl_seconds, topic, urgency }) {
      // No attempt would succeed.
      if (!hasUsableKeys({ p256dh, auth })) return 'gone'
      try {
        await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, payload, {
          vapidDetails,
          topic,
          agent,
          TTL: ttl_seconds,
          timeout: TIMEOUT_MS,
          urgency: urgency ?? 'normal',
        })
        return 'sent'
      } catch (error) {
        const { statusCode = 0 } = error as { statusCode?: number }
        if (GONE.has(statusCode)) return 'gone'
        if (FORBIDDEN.has(statusCode)) return 'forbidden'
        if (REFUSED.has(statusCode)) return 'refused'
        if (statusCode === 0) return 'unreachable'
        throw new Error(`The push service answered ${statusCode}`, { cause: error })
      }
    },
  }
}

/** Whether a browser can have these keys (RFC 8291): a point of the curve P-256, and 16 bytes. */
function hasUsableKeys({ p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== POINT_BYTES || Buffer.from(auth, 'base64url').length !== AUTH_BYTES)
    return false
  try {
    ECDH.convertKey(point, 'prime256v1')
    return true
  } catch {
    return false
  }
}

export function newPushKeys(): PushKeys {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys()
  return { public_key: publicKey, private_key: privateKey }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { cachedUser } from '../identity/index.ts'

/** Whose eyes an address is for. */
export interface Watcher {
  readonly id: UserId | null
  readonly age_confirmed: boolean
}

/** A blurred picture's address never ends; clients are told a year. */
const blurred_hours = 24 * 365

/** Addresses of the same picture stay the same for this long, so that browsers keep what they loaded. */
const stable_seconds = limits.media_url_seconds / 2

export async function watcherOf(app: AppContext, db: Db, user_id: UserId | null): Promise<Watcher> {
  const row = user_id === null ? undefined : await cachedUser(app, db, user_id)
  return { id: user_id, age_confirmed: row?.age_confirmed_at != null && row.erased_at === null }
}

/** The address of a picture for one viewer: signed and short-lived, or the blurred one that anybody may have. */
export function mediaUrl(
  app: AppContext,
  watcher: Watcher,
  id: string,
  size: 'small' | 'card' | 'full',
): string {
  if (watcher.id === null || !watcher.age_confirmed) return `/media/${id}/blur`
  const now_seconds = Math.floor(app.clock.now().epochMilliseconds / 1000)
  const expires = Math.ceil(now_seconds / stable_seconds + 1) * stable_seconds
  const signature = sign(app, id, size, String(watcher.id), String(expires))
  return `/media/${id}/${size}?viewer=${watcher.id}&expires=${expires}&signature=${signature}`
}

export interface Claimed {
  readonly id: string
  readonly size: string
  readonly viewer?: string | undefined
  readonly expires?: string | undefined
  readonly signature?: string | undefined
}

/** The viewer whom a good, unexpired address names. */
export function viewerOfUrl(
  app: AppContext,
  { id, size, viewer, expires, signature }: Claimed,
): UserId | undefined {
  if (!viewer || !expires || !signature) return undefined
  const right = Buffer.from(sign(app, id, size, viewer, expires))
  const given = Buffer.from(signature)
  if (right.length !== given.length || !timingSafeEqual(right, given)) return undefined
  return Number(expires) * 1000 > app.clock.now().epochMilliseconds ? Number(viewer) : undefined
}

/** Until when an address that `mediaUrl` made is good. */
export function expiryOf(app: AppContext, url: string): Temporal.Instant {
  const expires = new URLSearchParams(url.split('?')[1]).get('expires')
  return expires === null
    ? app.clock.now().add({ hours: blurred_hours })
    : Temporal.Instant.fromEpochMilliseconds(Number(expires) * 1000)
}

function sign(app: AppContext, ...parts: string[]): string {
  return createHmac('sha256', app.config.secret_key)
    .update(`media\n${parts.join('\n')}`)
    .digest('base64url')
}

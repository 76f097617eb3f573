import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { setting } from '../settings/index.ts'
import { getQuota } from './quota.ts'

/** A guest has no allowance; free messages are the guys'. */
export async function authFields(
  app: App,
  viewer: Guest | Member,
): Promise<Record<string, unknown>> {
  if (viewer.kind === 'guest') return { free_quota: 0 }
  return {
    free_quota: await getQuota(app.db, viewer.id),
    free_quota_messages: viewer.role === 'guy' ? setting(app, 'free_messages_a_day') : 0,
  }
}

import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { readQuotas } from './quotas.ts'

/** A guest has no allowance; free seconds and free messages are the guys'. */
export async function authFields(
  app: App,
  viewer: Guest | Member,
): Promise<Record<string, unknown>> {
  if (viewer.kind === 'guest' || viewer.role !== 'guy')
    return { free_quota: 0, free_quota_messages: 0 }
  const { seconds, messages } = await readQuotas(app, app.db, viewer.id)
  return { free_quota: seconds, free_quota_messages: messages }
}

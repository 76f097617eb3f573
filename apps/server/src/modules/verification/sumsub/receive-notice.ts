import type { Query } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { addNotice } from './provider-store.ts'

export const PROVIDER_NOTICE = 'kyc_notice'

/** The part of a notice that the outbox delivers: the verdict itself is read from the provider. */
export interface StoredNotice {
  readonly applicant_id: string
  readonly type: string
  readonly created_at: string
}

/**
 * Stores a signed notice of the provider once and answers at once. The outbox applies the notice and
 * repeats it until the provider's API answers. Refuses invalid for an unsigned notice.
 */
export async function receiveNotice(
  app: App,
  _viewer: Viewer,
  _query: Query<'POST ss/kyc/notify'>,
  { raw_body, headers }: RequestContext,
): Promise<Record<never, never>> {
  if (!app.kyc) refuse('method_unavailable')
  const notice =
    app.kyc.readNotice(raw_body ?? Buffer.alloc(0), headers ?? {}) ??
    refuse('invalid', { fields: [{ path: 'x-payload-digest', message: 'Not signed' }] })
  // A check of the sandbox proves nothing about a person.
  if (notice.is_sandbox && app.config.production) return {}
  await app.transact(async (tx) => {
    if (!(await addNotice(tx, notice))) return
    const { applicant_id, type, created_at } = notice
    const stored: StoredNotice = { applicant_id, type, created_at: created_at.toString() }
    await tx.enqueue(PROVIDER_NOTICE, stored)
  })
  return {}
}

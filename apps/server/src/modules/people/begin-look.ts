import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { userById } from '../identity/index.ts'
import { requireNotOwn } from '../staff/index.ts'

/** Records the look before a page of a list is read. Refuses not_found for a user who does not exist, role_forbidden for oneself. */
export async function beginLook(
  app: App,
  staff: Staff,
  { id: user_id, page = 1 }: { readonly id: UserId; readonly page?: number },
  list: 'calls' | 'movements' | 'dialogs' | 'devices' | 'source' | 'notes',
  filters: Readonly<Record<string, string | null>> = {},
): Promise<void> {
  if (!(await userById(app.db, user_id))) refuse('not_found')
  await requireNotOwn(app.db, staff, [user_id])
  await app.transact((tx) =>
    writeAudit(tx, { staff, act: 'user_view', user_id, facts: { list, page, ...filters } }),
  )
}

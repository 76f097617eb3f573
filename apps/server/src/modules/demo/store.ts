import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

export async function addDemoUser(tx: Tx, name: string, user_id: UserId): Promise<void> {
  await tx.insertInto('cast_members').values({ name, user_id }).execute()
}

import type { Tx } from '../../core/app.ts'
import type { SettingKey } from './defaults.ts'

export interface SettingChange {
  readonly key: SettingKey
  /** A valid value of the setting, stored as JSON. */
  readonly value: unknown
  readonly changed_by: string
  readonly reason: string | null
}

/** Stores the value, and a row that no later change replaces. Returns the value before it, undefined for the default. */
export async function saveSetting(
  tx: Tx,
  { key, value, changed_by, reason }: SettingChange,
): Promise<unknown> {
  const former = await tx
    .selectFrom('settings')
    .select('value')
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst()
  const row = { value: JSON.stringify(value), changed_at: tx.now, changed_by, reason }
  await tx
    .insertInto('settings')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
  await tx
    .insertInto('setting_changes')
    .values({ key, ...row })
    .execute()
  return former?.value
}

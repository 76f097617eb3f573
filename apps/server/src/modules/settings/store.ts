import type { Tx } from '../../core/app.ts'
import type { SettingKey } from './defaults.ts'

export interface SettingChange {
  readonly key: SettingKey
  /** A valid value of the setting, stored as JSON. */
  readonly value: unknown
  readonly changed_by: string
}

export async function saveSetting(
  tx: Tx,
  { key, value, changed_by }: SettingChange,
): Promise<void> {
  const row = { value: JSON.stringify(value), changed_at: tx.now, changed_by }
  await tx
    .insertInto('settings')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute()
}

import type { Db } from '../../core/db.ts'

/** The stored settings, as they were written: a row may come from a newer version or break a stricter rule. */
export function storedSettings(db: Db): Promise<{ key: string; value: unknown }[]> {
  return db.selectFrom('settings').select(['key', 'value']).execute()
}

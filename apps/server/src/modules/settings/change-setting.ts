import type { App } from '../../core/app.ts'
import { wireTime } from '../../lib/clock.ts'
import { writeAudit } from '../audit/index.ts'
import { settings, toDefault } from './defaults.ts'
import { isSetting, valueChanged } from './setting.ts'
import { saveSetting } from './store.ts'

/**
 * Stores a new value. This process uses the value from the commit on, other processes within seconds.
 * @throws TypeError with a sentence for the operator if the key or the value is not valid
 */
export async function changeSetting(
  app: App,
  key: string,
  value: unknown,
  changed_by: string,
  reason: string | null = null,
): Promise<void> {
  if (!isSetting(key)) throw new TypeError(`There is no setting ${key}`)
  const { schema, unit } = settings[key]
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw new TypeError(`${key} takes ${unit}: ${parsed.error.issues[0]?.message}`)
  await app.transact(async (tx) => {
    const former = await saveSetting(tx, { key, value: parsed.data, changed_by, reason })
    await writeAudit(tx, {
      staff: { operator: changed_by },
      act: 'setting_change',
      reason: reason ?? '',
      facts: { key },
      before: { [key]: JSON.stringify(former ?? toDefault(key, app.config)) },
      after: { [key]: JSON.stringify(parsed.data) },
    })
    tx.afterCommit(() => valueChanged(app, key, parsed.data))
  })
  app.log.info({ key, changed_by, reason, at: wireTime(app.clock.now()) }, 'setting changed')
}

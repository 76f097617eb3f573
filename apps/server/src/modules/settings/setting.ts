import type { App, AppContext } from '../../core/app.ts'
import { wireTime } from '../../lib/clock.ts'
import { perApp } from '../../core/module.ts'
import { settings, type SettingKey, type SettingValue } from './defaults.ts'

/** How long another process may go on with a value that was changed here. */
const refresh_ms = 5000

/** What differs from the defaults: read by every command, so it is kept in memory and refreshed. */
const kept = perApp(
  'settings: values',
  'cache of the settings table, refreshed every few seconds',
  () => new Map<string, unknown>(),
)
/** How often something was changed here: a refresh that began before knows less than we do. */
const changed = perApp(
  'settings: changes',
  'counts changes so that an older refresh is dropped',
  () => ({ times: 0 }),
)
/** Stored keys that were complained about. */
const strange = perApp(
  'settings: unknown keys',
  'keys already reported in the log',
  () => new Set<string>(),
)

/** The present value of a setting. */
export function setting<K extends SettingKey>(app: AppContext, key: K): SettingValue<K> {
  const known = kept(app).get(key)
  return (known === undefined ? settings[key].fallback : known) as SettingValue<K>
}

/** Keeps a new value for every process; throws a sentence for the operator when it is not valid. */
export async function changeSetting(
  app: App,
  key: string,
  value: unknown,
  changed_by: string,
): Promise<void> {
  const known = isSetting(key) ? settings[key] : undefined
  if (!known) throw new TypeError(`There is no setting ${key}`)
  const parsed = known.schema.safeParse(value)
  if (!parsed.success)
    throw new TypeError(`${key} takes ${known.unit}: ${parsed.error.issues[0]?.message}`)
  await app.transact(async (tx) => {
    const row = { value: JSON.stringify(parsed.data), changed_at: tx.now, changed_by }
    await tx
      .insertInto('settings')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
    tx.afterCommit(() => {
      changed(app).times += 1
      kept(app).set(key, parsed.data)
    })
  })
  app.log.info({ key, changed_by, at: wireTime(app.clock.now()) }, 'setting changed')
}

export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settings, key)
}

async function refresh(app: App): Promise<void> {
  const { times } = changed(app)
  const rows = await app.db.selectFrom('settings').select(['key', 'value']).execute()
  if (changed(app).times !== times) return
  const values = kept(app)
  values.clear()
  for (const row of rows) {
    // A row of a newer version, or one that a stricter rule no longer takes, falls back to the default.
    const parsed = isSetting(row.key) ? settings[row.key].schema.safeParse(row.value) : undefined
    if (parsed?.success) values.set(row.key, parsed.data)
    else if (!strange(app).has(row.key)) {
      strange(app).add(row.key)
      app.log.warn({ key: row.key }, 'a stored setting is not known or not valid')
    }
  }
}

export async function loadSettings(app: App): Promise<() => void> {
  await refresh(app)
  return app.clock.every(refresh_ms, () => {
    refresh(app).catch((error: unknown) =>
      app.log.warn({ err: error }, 'settings could not be refreshed'),
    )
  })
}

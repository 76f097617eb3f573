import type { App, AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import { toDefault, settings, type SettingKey, type SettingValue } from './defaults.ts'
import { storedSettings } from './queries.ts'

/** For at most this long another process uses the old value of a setting that was changed here. */
const REFRESH_MS = 5000

interface SettingsCache {
  /** The values that differ from the defaults. */
  readonly values: Map<SettingKey, unknown>
  /** How many values were changed by this process: a refresh that began before a change is older than the cache. */
  changes: number
  /** Stored keys that were already reported as unknown or invalid. */
  readonly reported: Set<string>
}

/** Every command reads settings, so they are cached. */
const settingsCache = perApp(
  'settings: values',
  'cache of the settings table, refreshed every few seconds',
  (): SettingsCache => ({ values: new Map(), changes: 0, reported: new Set() }),
)

/** The current value of a setting. */
export function setting<K extends SettingKey>(app: AppContext, key: K): SettingValue<K> {
  const stored = settingsCache(app).values.get(key)
  return (stored === undefined ? toDefault(key, app.config) : stored) as SettingValue<K>
}

export function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(settings, key)
}

/** Called after the commit of a change by this process. */
export function valueChanged(app: AppContext, key: SettingKey, value: unknown): void {
  const cache = settingsCache(app)
  cache.changes += 1
  cache.values.set(key, value)
}

/** Reads all settings, and again every few seconds; returns how to stop. */
export async function startRefreshing(app: App): Promise<() => void> {
  await refresh(app)
  return app.clock.every(REFRESH_MS, () => {
    app.background('refreshing the settings', refresh(app))
  })
}

async function refresh(app: App): Promise<void> {
  const cache = settingsCache(app)
  const { changes } = cache
  const rows = await storedSettings(app.db)
  if (cache.changes !== changes) return
  cache.values.clear()
  for (const { key, value } of rows) {
    // A row of a newer version, or a row that breaks a stricter rule, falls back to the default.
    const parsed = isSetting(key) ? settings[key].schema.safeParse(value) : undefined
    if (isSetting(key) && parsed?.success) cache.values.set(key, parsed.data)
    else if (!cache.reported.has(key)) {
      cache.reported.add(key)
      app.log.warn({ key }, 'a stored setting is unknown or not valid')
    }
  }
}

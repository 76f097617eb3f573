/**
 * Settings: every value that the business decides.
 *
 * Tables         settings (one row per key that differs from its default), setting_changes (every change)
 * Does not know  what a value means to the module that reads it
 * Invariants     a value is valid before it is stored (ST1) · a change takes effect without a restart (ST2) ·
 *                the author of a change and the reason are recorded (ST3)
 */
import { module } from '../../core/module.ts'
import { impersonalTable } from '../../platform/personal-data/personal-data.ts'
import { commands } from './commands.ts'
import { getSettings } from './get-settings.ts'
import { startRefreshing } from './setting.ts'

export const settingsModule = module('settings', {
  endpoints: { 'GET getSettings': getSettings },
  commands,
  personalData: {
    tables: [
      impersonalTable('settings', 'values of the business'),
      impersonalTable('setting_changes', 'what the operator changed'),
    ],
  },
  start: startRefreshing,
})
export { isSetting, setting } from './setting.ts'
export type { SettingKey, SettingValue } from './defaults.ts'

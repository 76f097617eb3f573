/**
 * Settings: every figure that the business decides.
 *
 * Owns     settings (a row for each key that differs from its default)
 * Ignores  what a figure means to the module that reads it
 * Laws     a value is valid before it is kept (ST1) · a change takes effect without a restart (ST2) · who changed it is kept (ST3)
 */
import { module } from '../../core/module.ts'
import { endpoints } from './http.ts'
import { commands } from './commands.ts'
import { loadSettings } from './setting.ts'

export const settingsModule = module('settings', { endpoints, commands, start: loadSettings })
export { setting } from './setting.ts'
export type { SettingKey, SettingValue } from './defaults.ts'

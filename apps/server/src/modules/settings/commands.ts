import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { OperatorCommand, CommandArguments } from '../../core/module.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { toDefault, settingKeys, settings } from './defaults.ts'
import { changeSetting } from './change-setting.ts'
import { isSetting, setting } from './setting.ts'

async function list(app: App) {
  return settingKeys.map((key) => ({
    key,
    value: setting(app, key),
    unit: settings[key].unit,
    default: toDefault(key, app.config),
  }))
}

async function get(app: App, { words: [key = ''] }: CommandArguments) {
  return isSetting(key) ? { key, value: setting(app, key) } : refuse('not_found')
}

async function set(app: App, given: CommandArguments) {
  const {
    words: [key = '', word = ''],
    options,
  } = given
  const reason = typeof options.reason === 'string' ? options.reason : null
  if (!isSetting(key)) refuse('not_found')
  try {
    await changeSetting(app, key, toValue(key, word), operatorName(given), reason)
  } catch (error) {
    if (error instanceof TypeError)
      refuse('invalid', { fields: [{ path: key, message: error.message }] })
    throw error
  }
  return { key, value: setting(app, key) }
}

/** Converts what the operator typed into the stored form: on or off, a list with commas, a number, a plain word. */
function toValue(key: keyof typeof settings, word: string): unknown {
  const { fallback } = settings[key]
  if (typeof fallback === 'boolean') return word === 'on' ? true : word === 'off' ? false : word
  if (Array.isArray(fallback))
    return word === 'none' ? [] : word.split(',').map((item) => item.trim())
  return typeof fallback === 'number' && /^\d+(\.\d+)?$/.test(word) ? Number(word) : word
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'settings list': {
    args: '',
    summary: 'Every setting with its value, unit and default.',
    run: list,
  },
  'settings get': { args: 'KEY', summary: 'One setting.', run: get },
  'settings set': {
    args: 'KEY VALUE [--reason TEXT] [--as NAME]',
    summary: 'Changes a setting, without a restart; the reason is stored with the change.',
    run: set,
  },
}

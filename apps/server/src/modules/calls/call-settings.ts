import type { App } from '../../core/app.ts'
import { setting } from '../settings/index.ts'
import { callRules, type CallRules } from './rules/call.ts'

/** The rules with the current values of the settings. */
export function currentRules(app: App): CallRules {
  return callRules({
    media_timeout: setting(app, 'media_timeout'),
    partner_grace: setting(app, 'partner_grace'),
    meter_no_frames: setting(app, 'meter_no_frames'),
    meter_no_report: setting(app, 'meter_no_report'),
    meter_pause_row: setting(app, 'meter_pause_row'),
    meter_pause_total: setting(app, 'meter_pause_total'),
    hold_seconds: setting(app, 'hold_seconds'),
    hold_renew: setting(app, 'hold_renew'),
    private_ask_seconds: setting(app, 'private_ask_seconds'),
    private_ask_again: setting(app, 'private_ask_again'),
    private_reserve: setting(app, 'private_reserve'),
  })
}

import { limits } from '@duet/protocol/kernel/limits.ts'
import type { CallRules } from './call.ts'

const METER_INTERVAL_MS = 10_000 // Fixed by the wire contract, therefore not a setting.

/** The settings from which `callRules` makes the rules, in seconds. */
export interface CallRuleSettings {
  media_timeout: number
  partner_grace: number
  meter_no_frames: number
  meter_no_report: number
  meter_pause_row: number
  meter_pause_total: number
  contradiction_end: number
  camera_off_end: number
  hold_seconds: number
  hold_renew: number
  private_ask_seconds: number
  private_ask_again: number
  private_reserve: number
}

export function callRules(settings: CallRuleSettings): CallRules {
  return {
    media_timeout_ms: settings.media_timeout * 1000,
    partner_grace_ms: settings.partner_grace * 1000,
    meter_no_frames_ms: settings.meter_no_frames * 1000,
    meter_no_report_ms: settings.meter_no_report * 1000,
    meter_pause_row_ms: settings.meter_pause_row * 1000,
    meter_pause_total_ms: settings.meter_pause_total * 1000,
    contradiction_end_ms: settings.contradiction_end * 1000,
    camera_off_end_ms: settings.camera_off_end * 1000,
    report_ms: limits.peer_state_ms,
    meter_interval_ms: METER_INTERVAL_MS,
    hold_seconds: Math.max(1, Math.floor(settings.hold_seconds)),
    hold_renew_seconds: Math.floor(settings.hold_renew),
    private_ask_ms: settings.private_ask_seconds * 1000,
    private_ask_again_ms: settings.private_ask_again * 1000,
    private_minimum_seconds: Math.floor(settings.private_reserve),
  }
}

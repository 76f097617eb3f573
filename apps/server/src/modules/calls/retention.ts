import { deleteRows } from '../../platform/retention/retention-rule.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { clearOriginals } from './store.ts'

export const retention: readonly RetentionRule[] = [
  deleteRows('session_logs', 'at', (context) => setting(context, 'session_log_days')),
  deleteRows('call_media', 'at', (context) => setting(context, 'call_flag_days')),
  deleteRows('call_flags', 'at', (context) => setting(context, 'call_flag_days')),
  {
    name: 'session_texts: unmasked originals',
    keepDays: (context) => setting(context, 'text_original_days'),
    purge: clearOriginals,
  },
]

import type { StaffStatement } from '@duet/protocol'
import { t } from '../texts.ts'

/** The word on the button that takes an act back. */
export function liftWord(kind: StaffStatement['kind']): string {
  return kind === 'ban' || kind === 'suspension'
    ? t('office.sanctions.lift')
    : t('office.sanctions.undo')
}

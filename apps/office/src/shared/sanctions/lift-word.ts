import type { StaffStatement } from '@duet/protocol'
import { t } from '../texts.ts'

/** The word on the button that takes an act back. */
export function liftWord(kind: StaffStatement['kind']): string {
  return kind === 'ban' ? t('office.sanctions.lift') : t('office.sanctions.undo')
}

/** A suspension ends by the decision about its complaint, not by a button. */
export function mayLift({ kind, ended_at }: Pick<StaffStatement, 'kind' | 'ended_at'>): boolean {
  return kind !== 'verification' && kind !== 'suspension' && ended_at === null
}

import type { DeskComplaint, DeskPerson } from '@duet/protocol'
import { t } from './texts.ts'

/** The nickname of a person, or the number of a person without one. */
export function personName({ id, nick }: Pick<DeskPerson, 'id' | 'nick'>): string {
  return nick ?? t('office.person', { id })
}

/** The source of a case: the reporter, or the member of staff who opened it. */
export function sourceName({
  complainer,
  opened_by,
}: Pick<DeskComplaint, 'complainer' | 'opened_by'>): string {
  return complainer ? personName(complainer) : (opened_by ?? '')
}

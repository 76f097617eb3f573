import type { DeskPerson } from '@duet/protocol'
import { t } from './texts.ts'

/** The nickname of a person, or the number of a person without one. */
export function personName({ id, nick }: Pick<DeskPerson, 'id' | 'nick'>): string {
  return nick ?? t('office.person', { id })
}

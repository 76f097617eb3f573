import type { DeskComplaint } from '@duet/protocol'
import { t } from './texts.ts'

/** The nickname of a person, or the number of a person without one. */
export function personName({ id, nick }: DeskComplaint['accused']): string {
  return nick ?? t('office.person', { id })
}

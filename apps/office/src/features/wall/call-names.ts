import type { WallCall } from '@duet/protocol'
import { t } from '../../shared/texts.ts'

export function nameOf({ id, nick }: WallCall['girl']): string {
  return nick ?? t('office.person', { id })
}

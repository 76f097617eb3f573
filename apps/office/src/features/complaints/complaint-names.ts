import type { DeskComplaint } from '@duet/protocol'
import { t, textOr } from '../../shared/texts.ts'

export function reasonName({ reason, is_panic }: DeskComplaint): string {
  return is_panic ? t('office.complaint.panic') : textOr(`office.complaint.${reason}`, reason)
}

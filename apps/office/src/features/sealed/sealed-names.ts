import type { SealedCase } from '@duet/protocol'
import { t, textOr } from '../../shared/texts.ts'

export function sealedReason({ reason, is_panic }: SealedCase): string {
  return is_panic && reason !== 'child'
    ? t('office.complaint.panic')
    : textOr(`office.complaint.${reason}`, reason)
}

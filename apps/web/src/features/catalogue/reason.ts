import type { Recommendation } from '@duet/protocol'
import { t } from '../../shared/i18n.ts'
import { formatLanguageName } from '../../shared/texts/person.ts'

/** Why a girl is recommended, as a sentence. */
export function formatReason({
  reason,
  reason_value,
}: Pick<Recommendation, 'reason' | 'reason_value'>): string {
  switch (reason) {
    case 'talked':
      return t('catalogue.reason.talked', { minutes: Number(reason_value) })
    case 'liked':
      return t('catalogue.reason.liked')
    case 'language':
      return t('catalogue.reason.language', { language: formatLanguageName(String(reason_value)) })
    case 'best':
      return t('catalogue.reason.best')
  }
}

import type { Notice } from '@duet/protocol'
import { hasText, t } from '../../shared/i18n.ts'

/** The sentence of a notice. A kind that this page does not know yet has a general sentence. */
export function noticeSentence({ kind, facts, user }: Notice): string {
  const id = `bell.${kind}`
  if (!hasText(id)) return t('notices.unknown')
  const values = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      typeof value === 'number' ? value : String(value),
    ]),
  )
  return t(id, { ...values, nick: user?.nick ?? t('notices.unknown_user') })
}

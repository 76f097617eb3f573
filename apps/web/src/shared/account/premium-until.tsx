import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { Tag } from '@duet/ui'
import type { User } from '@duet/protocol'
import { t } from '../i18n.ts'
import { formatDay } from '../texts/format-day.ts'

/** The last day of the user's own Premium. */
export function PremiumUntil({
  user: { is_premium, premium_until },
}: {
  user: Pick<User, 'is_premium' | 'premium_until'>
}) {
  if (!is_premium || !premium_until) return null
  return (
    <Tag tone="gold" icon={<CrownIcon size={13} weight="fill" />}>
      {t('premium.until', { day: formatDay(premium_until, 'medium') })}
    </Tag>
  )
}

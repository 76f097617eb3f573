import type { Connection } from '@duet/client'
import type { Payload, User } from '@duet/protocol'
import type { Cache } from '../shared/cache.ts'
import { formatAmount } from '../shared/amounts.ts'
import { t, type TextId } from '../shared/i18n.ts'
import { dialogs } from '../shared/dialogs.ts'
import { showToast } from '../shared/toasts.ts'

/** Events that are news for whoever looks at any page. */
export const notices = {
  new_balance_info: (_: Cache, notice: Payload<'new_balance_info'>, connection: Connection) => {
    const isGirl = connection.getSnapshot().auth?.user.role === 'girl'
    const balance = formatAmount(isGirl ? 'coin' : 'diamond', notice.balance)
    showToast({
      id: `balance-${notice.reason}`,
      title: t(`notice.balance.${notice.reason}`),
      text: t(isGirl ? 'notice.balance_coins' : 'notice.balance_diamonds', { balance }),
    })
    void connection.act('NEW_BALANCE_INFO_GOT', { id: notice.id }).catch(() => {})
  },
  refill_balance: (_: Cache, { last_interlocutor }: Payload<'refill_balance'>) => {
    dialogs.open('not_balance', last_interlocutor ? { last_interlocutor } : {})
  },
  added_your_favorites: (_: Cache, { nick }: Payload<'added_your_favorites'>) => {
    showToast({ title: t('notice.favourite', { nick }) })
  },
  like_received: (_: Cache, { nick, mutual }: Payload<'like_received'>) => {
    showToast({ title: t(mutual ? 'notice.like_mutual' : 'notice.like', { nick }) })
  },
} as const

/** What changed in the own record and is worth a word: verified, premium ended. */
export function newsOf(before: User, after: User): TextId[] {
  if (before.id !== after.id) return []
  const news: TextId[] = []
  if (!before.info.is_verify && after.info.is_verify) news.push('notice.verified')
  if (before.is_premium && !after.is_premium) news.push('notice.premium_ended')
  return news
}

import type texts from '@duet/locales/en/ledger.json'
import { formatAmount } from '../../shared/amounts.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { handledByClient } from '../../shared/feature.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { storePeople } from '../../shared/people/people.ts'
import { showToast } from '../../shared/toasts.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    ledger: typeof texts
  }
}

const events: EventHandlers<'ledger'> = {
  balance: handledByClient,
  free_quota: handledByClient,
  new_balance_info: (notice, { connection }) => {
    const isGirl = connection.getSnapshot().auth?.user.role === 'girl'
    const balance = formatAmount(isGirl ? 'coin' : 'diamond', notice.balance)
    withTexts(() =>
      showToast({
        id: `balance-${notice.reason}`,
        title: t(`notice.balance.${notice.reason}`),
        text: t(isGirl ? 'notice.balance_coins' : 'notice.balance_diamonds', {
          balance,
          count: Number(notice.balance),
        }),
      }),
    )
    void connection.act('NEW_BALANCE_INFO_GOT', { id: notice.id }).catch(() => {})
  },
  refill_balance: ({ last_interlocutor }) => {
    if (last_interlocutor) storePeople([last_interlocutor])
    dialogs.open('not_balance', last_interlocutor ? { last_interlocutor } : {})
  },
}

/** Ledger: the balance and its notices. */
export const ledger = {
  events,
} satisfies Feature

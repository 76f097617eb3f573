import type texts from '@duet/locales/en/billing.json'
import type { UserInterlocutor } from '@duet/protocol'
import type { PayPlace } from '@duet/protocol/contracts/billing.ts'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { SYSTEM_KEY } from '../../shared/queries.ts'
import { formatDay } from '../../shared/texts/format-day.ts'
import { showToast } from '../../shared/toasts.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    billing: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    not_balance: {
      /**
       * `has_minutes`: the balance runs low in a call, and is not used up yet. `place`: where the user pressed. `needed`: the
       * minutes that a gift costs.
       */
      input: {
        last_interlocutor?: UserInterlocutor
        talked_seconds?: number
        has_minutes?: boolean
        needed?: string
        place?: PayPlace
      }
      answer: true
    }
  }
}

const notBalance = lazyScreen(
  () => import('./dialog/not-balance-dialog.tsx'),
  (module) => module.NotBalanceDialog,
)
const Purchases = lazyScreen(
  () => import('./purchases/purchases-page.tsx'),
  (module) => module.PurchasesPage,
)
const Purchase = lazyScreen(
  () => import('./purchases/purchase-page.tsx'),
  (module) => module.PurchasePage,
)

const events: EventHandlers<'billing'> = {
  pay_success: ({ order_id, premium_until }, { queries }) => {
    void queries.invalidateQueries({ queryKey: ['orders'] })
    void queries.invalidateQueries({ queryKey: ['order', order_id] })
    withTexts(() =>
      showToast({
        // The bell names the same purchase.
        id: 'balance-purchase',
        kind: 'success',
        title: t('notice.paid'),
        ...(premium_until && { text: t('notice.paid_text', { day: formatDay(premium_until) }) }),
      }),
    )
  },
  payments_methods_extend: (_methods, { queries }) => {
    void queries.invalidateQueries({ queryKey: ['packages'] })
    void queries.invalidateQueries({ queryKey: SYSTEM_KEY })
  },
}

/** Billing: the shop, the purchases with their receipts, and the own limits. */
export const billing = {
  routes: [
    {
      path: '/purchases',
      access: 'member',
      role: 'men',
      element: (
        <main>
          <Purchases />
        </main>
      ),
    },
    {
      path: '/purchases/:order_id',
      access: 'member',
      role: 'men',
      element: (
        <main>
          <Purchase />
        </main>
      ),
    },
  ],
  navigation: async () => (await import('./navigation.ts')).navigation,
  dialogs: { not_balance: notBalance },
  errorAreas: {
    'POST demo/minutes': 'wallet',
    'POST payment/start': 'wallet',
    'POST gift-card/redeem': 'wallet',
    'POST account/limits': 'wallet',
  },
  events,
} satisfies Feature

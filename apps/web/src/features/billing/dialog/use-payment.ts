import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { isRefused } from '@duet/client'
import type { Order, PayMethod, PayPlace } from '@duet/protocol/contracts/billing.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'
import { t, type TextId } from '../../../shared/i18n.ts'
import { useOrder } from '../order-query.ts'
import { ownLimitSentence } from './own-limit.ts'

/** A payment at a provider, in another tab. */
export interface PaymentInTab {
  readonly order_id: number
  readonly url: string
  /** The browser did not open the tab: the user opens it by a link. */
  readonly is_blocked: boolean
  readonly is_checked: boolean
}

const FAILURES: Readonly<Partial<Record<Order['status'], TextId>>> = {
  failed: 'billing.declined',
  expired: 'billing.expired',
  refunded: 'billing.given_back',
  disputed: 'billing.given_back',
}

/**
 * Begins a payment and follows it. A payment that failed or was cancelled leads back to the packs, with a sentence.
 * `onPaid` runs once for a paid order.
 */
export function usePayment(place: PayPlace, onPaid: () => void) {
  const { connection, persistence } = useAppServices()
  const queries = useQueryClient()
  const [started, setStarted] = useState<Omit<PaymentInTab, 'is_checked'>>()
  const [failure, setFailure] = useState<string>()
  const status = useOrder(started?.order_id ?? 0).data?.status
  useEffect(() => {
    if (!started || !status) return
    if (status === 'paid') onPaid()
    const failed = FAILURES[status]
    if (!failed) return
    setStarted(undefined)
    setFailure(t(failed))
  }, [started, status, onPaid])
  const { busy, sentence, press } = usePress(
    async (package_id: number, method: PayMethod) => {
      setFailure(undefined)
      // A tab that opens later than the press is blocked by browsers.
      const tab = window.open('', '_blank')
      try {
        const { order_id, url } = await connection.http.post(
          'payment/start',
          { package_id, method, place },
          { idempotency_key: crypto.randomUUID() },
        )
        if (tab) {
          tab.opener = null
          tab.location.href = url
        }
        setStarted({ order_id, url, is_blocked: tab === null })
      } catch (error) {
        tab?.close()
        throw error
      }
      persistence.set('default_payment', method)
      void connection.act('UPDATE_PROFILE', { default_pay_system: method }).catch(() => {})
    },
    (error) => {
      if (isRefused(error, 'POST payment/start', 'method_unavailable'))
        return t('billing.method_off')
      if (isRefused(error, 'POST payment/start', 'spending_limit')) return ownLimitSentence(error)
      if (isRefused(error, 'POST payment/start', 'not_found')) {
        void queries.invalidateQueries({ queryKey: ['packages'] })
        return t('billing.pack_gone')
      }
      return false
    },
  )
  return {
    busy,
    sentence: sentence ?? failure,
    started: started && { ...started, is_checked: status === 'checking' },
    pay: press,
    cancel: () => setStarted(undefined),
  }
}

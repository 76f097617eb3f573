import { useRef, useState } from 'react'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { Button, Dialog, EmptyState, Skeleton, useMobile, useSkeleton } from '@duet/ui'
import type { Package, PayMethod } from '@duet/protocol/contracts/billing.ts'
import { useAppServices, useOwnUser } from '../../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { formatPrice } from '../money-format.ts'
import { ChosenMethod } from './chosen-method.tsx'
import { GiftCardForm } from './gift-card-form.tsx'
import { PayMethods } from './pay-methods.tsx'
import { PaymentWait } from './payment-wait.tsx'
import { PremiumIncluded, ShopTabs } from './shop-tabs.tsx'
import { StoryColumn, StoryLine } from './story-column.tsx'
import { usePayment } from './use-payment.ts'
import { usePriceList } from './use-price-list.ts'
import { useStory } from './use-story.ts'

type Input = OpenDialogProps<'not_balance'>['input']
type Tab = 'minutes' | 'messages' | 'premium'

/** The shop: packs, methods, and one button that names the price. */
export function BillingDialog({ input, open, close }: OpenDialogProps<'not_balance'>) {
  const mobile = useMobile()
  const list = usePriceList()
  const [tab, setTab] = useState<Tab>(firstTab(input))
  const [package_id, choose] = useState<number>()
  const method = useMethod(list.data)
  const methods = useRef<HTMLFieldSetElement>(null)
  const place = input.place ?? (input.last_interlocutor ? 'not_balance' : 'billing')
  const payment = usePayment(place, () => close(true))
  const chosen = list.data?.packages.find((one) => one.package_id === package_id)
  const isCard = method.value === 'giftcard'
  const story = useStory(input)
  if (payment.started)
    return <PaymentWait open={open} payment={payment.started} onCancel={payment.cancel} />
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      size={992}
      title={t('billing.title')}
      titleHidden={!mobile}
      aside={<StoryColumn story={story} />}
      actions={
        isCard || !list.data ? undefined : (
          <PayButton
            chosen={chosen}
            method={method.value}
            payment={payment}
            onChange={() => methods.current && show(methods.current)}
          />
        )
      }
    >
      {mobile && story ? <StoryLine story={story} /> : null}
      <Debt />
      {list.data ? (
        <>
          <ShopTabs
            packages={list.data.packages}
            tab={tab}
            onTab={(next) => {
              // A pack of another tab is not paid unseen.
              choose(undefined)
              setTab(next)
            }}
            chosen={package_id}
            onChoose={choose}
          />
          <PayMethods
            ref={methods}
            methods={list.data.packages[0]?.methods ?? []}
            value={method.value}
            onChange={method.set}
          />
          {isCard ? <GiftCardForm onRedeemed={() => close(true)} /> : null}
          {tab === 'premium' ? null : <PremiumIncluded />}
        </>
      ) : (
        <Unavailable isFailed={list.isError} onRetry={() => void list.refetch()} />
      )}
      <p role="alert" className="note mt-3 text-danger empty:hidden">
        {payment.sentence}
      </p>
    </Dialog>
  )
}

function firstTab({ place }: Input): Tab {
  if (place === 'composer') return 'messages'
  return place === 'premium' ? 'premium' : 'minutes'
}

/** Scrolls to the methods, with the keyboard on the chosen one. */
function show(methods: HTMLElement): void {
  methods.scrollIntoView({ block: 'center' })
  methods.querySelector<HTMLElement>('input:checked')?.focus({ preventScroll: true })
}

/** The method of the last payment. Our own codes are no payment: the first provider stands for them. */
function useMethod(list: ReturnType<typeof usePriceList>['data']) {
  const { persistence } = useAppServices()
  const [picked, set] = useState<PayMethod>()
  const methods = list?.packages[0]?.methods ?? []
  const stored = persistence.get('default_payment')
  const remembered = stored === 'giftcard' ? 'verotel' : stored
  const known = methods.find((one) => one === remembered) ?? list?.default_pay_system
  return { value: picked ?? known ?? methods[0], set }
}

function PayButton({
  chosen,
  method,
  payment,
  onChange,
}: {
  chosen: Package | undefined
  method: PayMethod | undefined
  payment: Pick<ReturnType<typeof usePayment>, 'busy' | 'pay'>
  onChange: () => void
}) {
  const price = chosen && formatPrice(chosen.price, chosen.currency)
  return (
    <div className="flex w-full flex-col gap-2.5">
      {method ? <ChosenMethod method={method} onChange={onChange} /> : null}
      <Button
        variant="primary"
        size={54}
        wide
        busy={payment.busy}
        disabled={!chosen || !method}
        icon={<LockSimpleIcon size={18} weight="fill" />}
        onClick={() => chosen && method && void payment.pay(chosen.package_id, method)}
      >
        {price ? t('billing.pay', { price }) : t('billing.choose')}
      </Button>
      <p className="note text-center text-text-3">{t('billing.terms')}</p>
    </div>
  )
}

/** The rest of a purchase that was given back is taken from the next purchase. */
function Debt() {
  const debt = useOwnUser()?.debt
  if (!debt) return null
  return (
    <p className="panel note mb-4 px-4 py-3 text-warn">
      {t('billing.debt', { minutes: Number(debt.diamonds), messages: debt.messages })}
    </p>
  )
}

function Unavailable({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  const hasSkeleton = useSkeleton(!isFailed)
  if (isFailed)
    return (
      <EmptyState
        title={t('billing.failed')}
        action={<Button onClick={onRetry}>{t('action.retry')}</Button>}
      />
    )
  return (
    <div aria-busy className="min-h-72">
      {hasSkeleton ? <Skeleton className="h-72 rounded-panel!" /> : null}
    </div>
  )
}

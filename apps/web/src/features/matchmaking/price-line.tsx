import type { ReactNode } from 'react'
import { TimerIcon } from '@phosphor-icons/react/dist/csr/Timer'
import { useAmountFormat, talkSeconds } from '../../shared/amounts.ts'
import { AMOUNT_ICONS } from '../../shared/texts/amount-icons.tsx'
import { t, type TextId } from '../../shared/i18n.ts'
import { Text } from '../../shared/texts/rich-text.tsx'
import { formatRoughDuration } from '../../shared/texts/durations.ts'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { useCanAddMinutes } from '../../shared/queries.ts'
import type { OfferView } from './matchmaking-state.ts'

type Pair = OfferView['pair']

/** The price of a minute, shown before it is charged. A girl sees her earnings. */
export function PriceLine({ pair }: { pair: Pair }) {
  const { role, balance, quota_seconds } = useOwnUser()
  const canAdd = useCanAddMinutes()
  const formatAmount = useAmountFormat()
  if (role === 'girl') {
    const price = formatAmount('coin', pair.price)
    return (
      <Card title={t('matching.offer.earn_title')}>
        <Text id="matching.offer.earn_text" values={{ price }} parts={AMOUNT_ICONS} />
      </Card>
    )
  }
  const isFree = pair.free_seconds > 0
  const hasQuota = pair.state === 'public' && quota_seconds > 0
  const values = {
    price: formatAmount('diamond', pair.price),
    balance: formatAmount('diamond', balance),
    duration: formatRoughDuration(talkSeconds(balance, pair.price) ?? 0),
  }
  const title = isFree
    ? t('matching.offer.free_title', { seconds: pair.free_seconds })
    : hasQuota
      ? t('matching.offer.quota_title', { seconds: quota_seconds })
      : t('matching.offer.paid_title')
  return (
    <Card title={title}>
      <Text
        id={getText({
          isFreeFirst: isFree || hasQuota,
          hasBalance: (talkSeconds(balance, pair.price) ?? 0) >= 1,
          canAdd,
        })}
        values={values}
        parts={AMOUNT_ICONS}
      />
    </Card>
  )
}

/** Without a balance there is no "you have 0, about 0 seconds" beside the free seconds. */
function getText({
  isFreeFirst,
  hasBalance,
  canAdd,
}: Record<'isFreeFirst' | 'hasBalance' | 'canAdd', boolean>): TextId {
  if (!hasBalance && !isFreeFirst) return 'matching.offer.paid_price'
  if (!hasBalance) return canAdd ? 'matching.offer.free_price' : 'matching.offer.free_price_only'
  return isFreeFirst ? 'matching.offer.free_text' : 'matching.offer.paid_text'
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="panel flex items-center gap-4 rounded-row! px-5 py-4">
      <TimerIcon size={28} weight="duotone" className="shrink-0 text-ember-hi" />
      <div className="min-w-0">
        <p className="ui font-[600]!">{title}</p>
        <p className="note text-text-2">{children}</p>
      </div>
    </div>
  )
}

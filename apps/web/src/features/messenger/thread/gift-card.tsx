import type { Gift, Message } from '@duet/protocol'
import { Amount } from '@duet/ui'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import { usePerson } from '../../../shared/people/people.ts'

interface GiftCardProps {
  readonly gift: Gift
  readonly message: Message
  readonly is_own: boolean
}

/** A gift in the thread: its picture, its giver, and the earnings. */
export function GiftCard({ gift, message: { sender_id, reward }, is_own }: GiftCardProps) {
  const formatAmount = useAmountFormat()
  const giver = usePerson(sender_id)?.nick
  const facts = { gift: gift.name }
  return (
    <span className="flex items-center gap-4 bg-gold-lo py-3 ps-3 pe-5 text-text">
      <img
        src={gift.image}
        alt=""
        width={64}
        height={64}
        loading="lazy"
        decoding="async"
        className="size-16 shrink-0 object-contain"
      />
      <span className="flex min-w-0 flex-col gap-1">
        <span className="ui font-[600]!">
          {is_own || giver === undefined
            ? t(is_own ? 'messenger.gift.own' : 'messenger.gift.named', facts)
            : t('messenger.gift.theirs', { ...facts, nick: giver })}
        </span>
        {reward === undefined ? null : (
          <Amount
            kind="coin"
            size={16}
            tone="gold"
            value={`+${formatAmount('coin', reward)}`}
            label={t('messenger.reward', {
              value: formatAmount('coin', reward),
              count: Number(reward),
            })}
          />
        )}
      </span>
    </span>
  )
}

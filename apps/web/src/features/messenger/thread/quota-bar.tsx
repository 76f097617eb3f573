import { parseTime } from '@duet/protocol/kernel/time.ts'
import { ChatCircleSlashIcon } from '@phosphor-icons/react/dist/csr/ChatCircleSlash'
import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { useState, type ReactNode } from 'react'
import type { Dialog } from '@duet/protocol'
import { Ring } from '@duet/ui'
import { PremiumButton } from '../../../shared/controls/premium-button.tsx'
import { t } from '../../../shared/i18n.ts'
import { useSellsPremium, useSettings } from '../../../shared/queries.ts'
import { formatClock } from '../times.ts'
import { useOwnUser, useSnapshot } from '../../../shared/app-services.tsx'

/** The ring is shown from this many free messages on. */
const FEW = 5

/** Above the composer of a user without Premium who pays for messages: how many free messages are left today. */
export function QuotaBar({ can_write: { allowed, cost } }: Pick<Dialog, 'can_write'>) {
  const left = useSnapshot().auth?.free_quota_messages ?? 0
  const user = useOwnUser()
  const daily = useSettings()?.free_messages_a_day ?? left
  const sellsPremium = useSellsPremium()
  const time = useNextDay()
  if (user?.is_premium || !allowed || cost !== 'free' || left > FEW) return null
  return (
    <Note
      start={
        <Ring size={44} value={daily > 0 ? left / daily : 0} tone={left > 1 ? 'ember' : 'warn'}>
          {left}
        </Ring>
      }
      title={t('messenger.quota.left', { count: left })}
      text={t(sellsPremium ? 'messenger.quota.premium' : 'messenger.quota.renewed', { time })}
    />
  )
}

/**
 * Informs a screen reader that the last free message is used. The bar in place of the composer is not a live region.
 */
export function QuotaSpent() {
  const left = useSnapshot().auth?.free_quota_messages
  const [known, setKnown] = useState({ left, isSpent: false })
  if (left !== known.left) setKnown({ left, isSpent: left === 0 })
  return (
    <p role="status" className="sr-only">
      {known.isSpent ? t('messenger.cannot.message_limit') : null}
    </p>
  )
}

/** In place of the composer: why the user cannot write, and the remedy. */
export function CannotWrite({ dialog, nick }: { dialog: Dialog; nick: string }) {
  const { name = 'not_found' } = dialog.can_write
  const time = useNextDay()
  const sellsPremium = useSellsPremium()
  return (
    <Note
      start={
        sellsPremium ? (
          <CrownIcon size={28} weight="duotone" className="text-gold" />
        ) : (
          <ChatCircleSlashIcon size={28} weight="duotone" className="text-text-3" />
        )
      }
      title={t(`messenger.cannot.${name}`, { nick })}
      text={t(`messenger.cannot.${name}_text`, { nick, time })}
      end={
        name === 'message_limit' ? (
          <PremiumButton />
        ) : name === 'no_balance' ? (
          <PremiumButton place="composer" />
        ) : undefined
      }
    />
  )
}

const DAY_MS = 86_400_000

/** The time of day, here, at which the free messages are renewed. */
function useNextDay(): string {
  const next = useSettings()?.next_day_at
  if (next === undefined) return ''
  // The settings may be of a former day.
  const pastDays = Math.max(0, Math.ceil((Date.now() - parseTime(next)) / DAY_MS))
  return formatClock(new Date(parseTime(next) + pastDays * DAY_MS).toISOString())
}

function Note({
  start,
  title,
  text,
  end,
}: {
  start: ReactNode
  title: string
  text: string
  end?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-row bg-surface-1 px-4 py-3 shadow-[inset_0_0_0_1px_var(--hair-2)]">
      {start}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="ui font-[600]!">{title}</span>
        <span className="note text-text-2">{text}</span>
      </span>
      {end}
    </div>
  )
}

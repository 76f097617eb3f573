import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { PhoneXIcon } from '@phosphor-icons/react/dist/csr/PhoneX'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { useId, useState } from 'react'
import type { PastCall, UserInterlocutor } from '@duet/protocol'
import { parseTime } from '@duet/protocol/kernel/time.ts'
import { Amount, cx, SwipeRow, Tag, useMobile } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { intlLocale, t } from '../../shared/i18n.ts'
import { usePerson } from '../../shared/people/people.ts'
import { PersonAvatar } from '../../shared/people/person-avatar.tsx'
import { formatDuration } from '../../shared/texts/durations.ts'
import { ReceiptLines } from '../../shared/video/receipt-lines.tsx'
import { GoneActions, HistoryActions, SwipedActions } from './history-actions.tsx'

/** A past call. A press on the row opens its receipt. */
export function HistoryRow({ item }: { item: PastCall }) {
  const [isOpen, setOpen] = useState(false)
  const receiptId = useId()
  const stored = usePerson(item.user_interlocutor?.id)
  const person = item.user_interlocutor && (stored ?? item.user_interlocutor)
  const hasReceipt = item.seconds > 0
  const isMobile = useMobile()
  const row = (
    <div className="flex min-h-[76px] items-center gap-3 px-4 py-2">
      <Portrait person={person} />
      <button
        type="button"
        disabled={!hasReceipt}
        aria-expanded={hasReceipt ? isOpen : undefined}
        aria-controls={hasReceipt ? receiptId : undefined}
        onClick={() => setOpen(!isOpen)}
        className="group flex min-h-12 min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5 rounded-row text-start"
      >
        <span className="min-w-0 flex-1 basis-32">
          <span className={cx('ui block truncate font-[600]!', !person && 'text-text-2')}>
            <bdi>{person?.nick ?? t('history.gone')}</bdi>
          </span>
          <Facts item={item} />
        </span>
        <Price item={item} />
        {hasReceipt ? (
          <CaretDownIcon
            size={16}
            className={cx('shrink-0 text-text-3 group-hover:text-text', isOpen && 'rotate-180')}
          />
        ) : null}
      </button>
      {person ? <HistoryActions person={person} item={item} /> : <GoneActions item={item} />}
    </div>
  )
  return (
    <li>
      {isMobile && person ? (
        <SwipeRow actions={<SwipedActions person={person} item={item} />}>{row}</SwipeRow>
      ) : (
        row
      )}
      {isOpen ? (
        <div id={receiptId} className="px-4 pb-5 md:ps-[76px]">
          <ReceiptLines receipt={item} className="" />
        </div>
      ) : null}
    </li>
  )
}

function Portrait({ person }: { person: UserInterlocutor | null }) {
  if (!person)
    return (
      <span className="flex size-12 shrink-0 items-center justify-center rounded-full bg-surface-3 text-text-3">
        <UserIcon size={22} />
      </span>
    )
  return <PersonAvatar person={person} />
}

/** The kind, the time of the day and the length. */
function Facts({ item }: { item: PastCall }) {
  const time = new Date(parseTime(item.started_at)).toLocaleTimeString(intlLocale(), {
    timeStyle: 'short',
  })
  return (
    <span className="note flex flex-wrap items-center gap-x-2 gap-y-0.5 text-text-2">
      <Kind item={item} />
      <span>
        {item.seconds > 0
          ? t('history.time_and_length', { time, duration: formatDuration(item.seconds) })
          : time}
      </span>
    </span>
  )
}

function Kind({ item }: { item: PastCall }) {
  if (item.session_id === null) return <RingKind item={item} />
  if (item.state === 'public') return <Tag tone="moon">{t('history.public')}</Tag>
  return (
    <Tag tone="ember" icon={<LockSimpleIcon size={13} weight="fill" />}>
      {t('history.private')}
    </Tag>
  )
}

/** A ring that came to no call. Only a call that the viewer missed is news. */
function RingKind({ item }: { item: PastCall }) {
  const isMissed = item.missed === true && !item.is_caller
  return (
    <Tag tone={isMissed ? 'warn' : 'plain'} icon={<PhoneXIcon size={13} weight="fill" />}>
      {t(isMissed ? 'history.missed' : item.is_caller ? 'history.unanswered' : 'history.not_taken')}
    </Tag>
  )
}

/** The price of the call for the guy, or the earnings of the girl. */
function Price({ item }: { item: PastCall }) {
  const format = useAmountFormat()
  if (item.seconds === 0) return null
  const isGirl = item.earned !== undefined
  const amount = (isGirl ? item.earned : item.spent) ?? '0'
  if (Number(amount) === 0)
    return <span className="note shrink-0 text-text-3">{t('word.free')}</span>
  const kind = isGirl ? 'coin' : 'diamond'
  const value = format(kind, amount)
  const label = t(isGirl ? 'video.receipt.coins' : 'video.receipt.diamonds', {
    amount: value,
    count: Number(amount),
  })
  return (
    <span className="ui shrink-0 font-[600]!">
      <Amount
        kind={kind}
        value={`${isGirl ? '+' : '−'}${value}`}
        label={label}
        tone={isGirl ? 'ok' : 'text'}
      />
    </span>
  )
}

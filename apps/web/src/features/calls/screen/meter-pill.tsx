import type { ReactNode } from 'react'
import { PauseIcon } from '@phosphor-icons/react/dist/csr/Pause'
import { CoinIcon, cx, DiamondIcon, Ring, RollingNumber, type RingTone } from '@duet/ui'
import { useAmountFormat, type AmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import { Text } from '../../../shared/texts/rich-text.tsx'
import { useCalls } from '../call-context.tsx'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { useNow } from '../../../shared/controls/use-time.ts'
import { AMOUNT_ICONS } from '../../../shared/texts/amount-icons.tsx'
import type { RunningCall } from '../calls-state.ts'
import { readMeter, WARN_SECONDS, type MeterReading } from '../meter-clock.ts'
import { clockText } from '../../../shared/texts/durations.ts'
import { usePhone } from './use-phone.ts'

/** The meter: free, on quota, paid, standing still. Always on screen, in numbers. */
export function MeterPill({ call }: { call: RunningCall }) {
  const { clock } = useCalls()
  const { balance, role } = useOwnUser()
  const isPhone = usePhone()
  const formatAmount = useAmountFormat()
  const reading = readMeter(call, clock, role === 'girl' ? null : balance, useNow(250))
  const face =
    role === 'girl' ? herFace(call, reading, formatAmount) : hisFace(call, reading, formatAmount)
  return (
    <div
      data-meter={reading.phase}
      title={
        role === 'girl' || !call.meter?.balance
          ? undefined
          : exact(call.meter.balance, formatAmount)
      }
      className={cx(
        'glass flex min-h-12 items-center gap-3 rounded-full p-1.5 pe-5',
        isPhone ? 'min-h-14 pe-6' : undefined,
      )}
    >
      <Ring value={face.value} tone={face.tone} size={isPhone ? 40 : 34} glide_ms={300}>
        {face.sign}
      </Ring>
      <div className={isPhone ? 'flex flex-col' : 'flex items-center gap-3'}>
        <span className="ui font-[600]! figures text-[1rem]!">{face.main}</span>
        {isPhone ? null : <span aria-hidden className="h-4 w-px bg-hair-2" />}
        <span className={cx('note figures', face.warns ? 'text-warn font-[600]!' : 'text-text/80')}>
          {face.side}
        </span>
      </div>
    </div>
  )
}

const exact = (balance: string, formatAmount: AmountFormat) =>
  t('video.call.balance', {
    amount: formatAmount('diamond', balance, { precise: true }),
    count: Number(balance),
  })

interface Face {
  tone: RingTone
  value: number
  sign: ReactNode
  main: ReactNode
  side: ReactNode
  warns?: boolean
}

function hisFace(
  { session }: RunningCall,
  reading: MeterReading,
  formatAmount: AmountFormat,
): Face {
  const { free_left, quota_left, talk_left, minute_share, seconds, phase } = reading
  const price = formatAmount('diamond', session.price)
  if (phase === 'paused') return pausedFace(t('video.call.not_charged'))
  const isWaiting = phase === 'waiting'
  if (phase === 'free' || (isWaiting && session.free_seconds > 0)) {
    return {
      tone: 'ok',
      value: session.free_seconds > 0 ? free_left / session.free_seconds : 0,
      sign: free_left,
      main: t('word.free'),
      side: <Text id="video.call.then" values={{ price }} parts={AMOUNT_ICONS} />,
    }
  }
  if (phase === 'quota' || (isWaiting && session.quota_seconds > 0)) {
    return {
      tone: 'ok',
      value: session.quota_seconds > 0 ? quota_left / session.quota_seconds : 0,
      sign: quota_left,
      main: t('video.call.quota'),
      side: t('video.call.quota_left', { seconds: quota_left }),
    }
  }
  return {
    tone: 'ice',
    value: minute_share,
    sign: <DiamondIcon size={16} />,
    main: clockText(seconds),
    side: talk_left === null ? null : leftText(talk_left),
    warns: talk_left !== null && talk_left <= WARN_SECONDS,
  }
}

function leftText(seconds: number): string {
  return seconds < 60
    ? t('video.call.seconds_left', { seconds })
    : t('video.call.minutes_left', { minutes: Math.floor(seconds / 60) })
}

function herFace(
  { session }: RunningCall,
  reading: MeterReading,
  formatAmount: AmountFormat,
): Face {
  const { phase, seconds, earned, free_left, minute_share } = reading
  if (phase === 'paused') {
    const isOwn = reading.why === 'camera_off'
    return pausedFace(
      t('video.call.not_counted'),
      isOwn ? t('video.call.why.camera_off_self') : undefined,
    )
  }
  const isFree = session.free_seconds > 0 && (phase === 'free' || phase === 'waiting')
  const coins = formatAmount('coin', earned.toFixed(2))
  return {
    tone: isFree || phase === 'quota' ? 'ok' : 'gold',
    value: isFree ? free_left / session.free_seconds : minute_share,
    sign: isFree ? free_left : <CoinIcon size={16} />,
    main: (
      <span className="text-gold">
        <span className="sr-only">
          {t('video.call.earned_label', { coins, count: earned, time: clockText(seconds) })}
        </span>
        <RollingNumber value={coins} />
      </span>
    ),
    side: clockText(seconds),
  }
}

function pausedFace(side: string, main = t('video.call.paused')): Face {
  return { tone: 'current', value: 1, sign: <PauseIcon size={14} weight="fill" />, main, side }
}

import type { ReactNode } from 'react'
import { CalendarPlusIcon } from '@phosphor-icons/react/dist/csr/CalendarPlus'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { VirtualDate } from '@duet/protocol'
import { Avatar, Button, cx, PetalPair, Tag, type Tone } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { useAmountFormat } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { usePerson } from '../../shared/people/people.ts'
import { AMOUNT_ICONS } from '../../shared/texts/amount-icons.tsx'
import { Text } from '../../shared/texts/rich-text.tsx'
import { formatCountdown, formatMoment, ownZone } from './date-times.ts'
import { useServerNow, useServerPassed } from './server-clock.ts'
import { useDateActions } from './use-date-actions.ts'

const OPEN: ReadonlySet<VirtualDate['state']> = new Set(['requested', 'accepted', 'started'])

/** One date with its present actions. */
export function DateCard({ date }: { date: VirtualDate }) {
  const { user_interlocutor, at, minutes, state } = date
  const person = usePerson(user_interlocutor?.id) ?? user_interlocutor
  const nick = person?.nick ?? t('dates.gone')
  const isOpen = OPEN.has(state)
  const hasBegun = useServerPassed(Date.parse(at))
  const isTime = state === 'accepted' && hasBegun
  const isGirl = useOwnUser()?.role === 'girl'
  return (
    <li
      className={cx(
        'panel flex flex-wrap items-center gap-x-4 gap-y-3 p-4',
        isTime && 'shadow-[inset_0_0_0_1px_var(--ember-hi)]',
        !isOpen && 'opacity-80',
      )}
    >
      <Portraits date={date} nick={nick} isOpen={isOpen} />
      <div className="flex min-w-0 flex-1 basis-56 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="title min-w-0 truncate">{nick}</bdi>
          <Tag tone={TONES[state]}>{formatState(date, nick, isGirl)}</Tag>
        </span>
        <span className="ui text-text-2">
          {formatMoment(Date.parse(at), ownZone())} · {t('dates.minutes', { minutes })}
        </span>
        <Progress date={date} nick={nick} isTime={isTime} />
      </div>
      <Actions date={date} nick={nick} isTime={isTime} />
    </li>
  )
}

/** Two touching petals, until the date is over. */
function Portraits({ date, nick, isOpen }: { date: VirtualDate; nick: string; isOpen: boolean }) {
  const person = usePerson(date.user_interlocutor?.id) ?? date.user_interlocutor
  const own = useOwnUser()
  const [hers, his] = own?.role === 'girl' ? [own, person] : [person, own]
  if (isOpen)
    return (
      <PetalPair
        layout="story"
        overlap="ring"
        className="w-[92px] shrink-0"
        hers={toPetal(hers?.avatar, 'ember')}
        yours={toPetal(his?.avatar, 'moon')}
      />
    )
  return (
    <Avatar
      name={nick}
      decorative
      src={person?.avatar}
      srcSet={findSrcSet(person?.avatar_variants)}
      size={56}
    />
  )
}

const TONES: Readonly<Record<VirtualDate['state'], Tone>> = {
  requested: 'warn',
  accepted: 'ok',
  started: 'ok',
  done: 'plain',
  declined: 'plain',
  cancelled: 'plain',
  expired: 'plain',
  he_missed: 'danger',
  she_missed: 'danger',
}

function toPetal(src: string | null | undefined, light: 'ember' | 'moon') {
  return { light, ...(src && { src }), alt: '' }
}

function formatState({ state }: VirtualDate, nick: string, isGirl: boolean): string {
  if (state === 'he_missed' || state === 'she_missed') {
    const isOwn = (state === 'she_missed') === isGirl
    return isOwn ? t('dates.state.missed_you') : t('dates.state.missed_other', { nick })
  }
  return t(`dates.state.${state}`)
}

/** The time that is left, and the amount that came back or was earned. */
function Progress({ date, nick, isTime }: { date: VirtualDate; nick: string; isTime: boolean }) {
  const isGirl = useOwnUser()?.role === 'girl'
  const { state, at, press_until, answer_until, pressed, waiting } = date
  if (state === 'requested')
    return (
      <span className="note text-text-3">
        <Countdown until={answer_until}>
          {(time) =>
            isGirl ? t('dates.answer_left_you', { time }) : t('dates.answer_left', { nick, time })
          }
        </Countdown>
      </span>
    )
  if (state !== 'accepted') return <Outcome date={date} isGirl={isGirl} />
  if (!isTime)
    return (
      <span className="note text-text-2">
        <Countdown until={at}>{(time) => t('dates.begins', { time })}</Countdown>
      </span>
    )
  return (
    <span className="note text-ember-hi">
      <span role="status">
        {pressed
          ? t('dates.you_wait', { nick })
          : waiting
            ? t('dates.other_waits', { nick })
            : t('dates.now')}
      </span>{' '}
      <Countdown until={press_until}>{(time) => t('dates.now_left', { time })}</Countdown>
    </span>
  )
}

const HOUR_MS = 3_600_000

/** Seconds are shown in the last hour only. A screen reader reads the time when the user asks for it. */
function Countdown({ until, children }: { until: string; children: (time: string) => string }) {
  const untilMs = Date.parse(until)
  const nowMs = useServerNow(useServerPassed(untilMs - HOUR_MS) ? 1000 : 30_000)
  return (
    <span role="timer" className="tabular-nums">
      {children(formatCountdown(untilMs - nowMs))}
    </span>
  )
}

function Outcome({ date, isGirl }: { date: VirtualDate; isGirl: boolean }) {
  const format = useAmountFormat()
  const { state, hold, kept, earned } = date
  if (state === 'started' || state === 'done') return null
  if (isGirl)
    return earned === undefined ? null : (
      <Money id="dates.earned" name="coins" amount={format('coin', earned)} />
    )
  if (kept !== undefined)
    return <Money id="dates.kept" name="diamonds" amount={format('diamond', kept)} />
  return hold === undefined ? null : (
    <Money id="dates.paid_back" name="diamonds" amount={format('diamond', hold)} />
  )
}

function Money({
  id,
  name,
  amount,
}: {
  id: 'dates.earned' | 'dates.kept' | 'dates.paid_back'
  name: 'coins' | 'diamonds'
  amount: string
}) {
  const icon = name === 'coins' ? '<coin></coin>' : '<diamond></diamond>'
  return (
    <span className="note text-text-2">
      <Text id={id} values={{ [name]: `${icon}${amount}` }} parts={AMOUNT_ICONS} />
    </span>
  )
}

function Actions({ date, nick, isTime }: { date: VirtualDate; nick: string; isTime: boolean }) {
  const isGirl = useOwnUser()?.role === 'girl'
  const { state, pressed } = date
  const { busy, act, cancel, download } = useDateActions(date, nick)
  if (state === 'requested' && isGirl)
    return (
      <Row>
        <Button variant="primary" busy={busy === 'accept'} onClick={() => act('accept')}>
          {t('dates.accept')}
        </Button>
        <Button busy={busy === 'decline'} onClick={() => act('decline')}>
          {t('dates.decline')}
        </Button>
      </Row>
    )
  if (state !== 'requested' && state !== 'accepted') return null
  return (
    <Row>
      {isTime && !pressed ? (
        <Button
          variant="primary"
          busy={busy === 'start'}
          icon={<VideoCameraIcon size={20} weight="fill" className="mirror" />}
          onClick={() => act('start')}
        >
          {t('dates.start')}
        </Button>
      ) : null}
      {state === 'accepted' && !isTime ? (
        <Button
          variant="quiet"
          busy={busy === 'calendar'}
          icon={<CalendarPlusIcon size={20} />}
          onClick={download}
        >
          {t('dates.calendar')}
        </Button>
      ) : null}
      <Button variant="quiet" busy={busy === 'cancel'} onClick={cancel}>
        {t(state === 'requested' ? 'dates.take_back' : 'dates.cancel')}
      </Button>
    </Row>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2 max-md:w-full">{children}</div>
}

import { ArrowsOutSimpleIcon } from '@phosphor-icons/react/dist/csr/ArrowsOutSimple'
import { PhoneDisconnectIcon } from '@phosphor-icons/react/dist/csr/PhoneDisconnect'
import { SpeakerHighIcon } from '@phosphor-icons/react/dist/csr/SpeakerHigh'
import { Avatar, Button, CallControl, cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { formatPersonName } from '../../shared/texts/person.ts'
import { useNow } from '../../shared/controls/use-time.ts'
import { useCallCommands, useCallEngine, useCalls, useEngineSnapshot } from './call-context.tsx'
import type { RunningCall } from './calls-state.ts'
import { LAST_MINUTE_SECONDS, readMeter, type MeterReading } from './meter-clock.ts'
import { clockText } from '../../shared/texts/durations.ts'
import { PrivateCard } from './screen/private-card.tsx'
import { SoundOnlyCard } from './screen/sound-only-card.tsx'

const READ_EVERY_MS = 500

/** The running call on every other page: the partner, the duration, a button back to the call, and End. */
export function CallCard({
  call,
  onReturn,
  place = 'bottom',
}: {
  call: RunningCall
  onReturn: () => void
  /** `top` where a composer is at the bottom: under the header of the page. */
  place?: 'bottom' | 'top'
}) {
  const commands = useCallCommands()
  const { clock } = useCalls()
  const { role, balance } = useOwnUser()
  const { user_interlocutor: person, state } = call.session
  const reading = readMeter(call, clock, role === 'girl' ? null : balance, useNow(READ_EVERY_MS))
  const isLow = reading.left !== null && reading.left <= LAST_MINUTE_SECONDS
  return (
    <aside
      aria-label={t('video.card.label', { nick: person.nick })}
      data-theme="dark"
      data-call-card
      className={cx(
        'panel fixed end-5 z-sticky flex w-[360px] flex-wrap items-center gap-3 rounded-row! bg-surface-1 p-3 text-text shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-3)] max-md:inset-x-3 max-md:w-auto',
        place === 'top'
          ? 'top-[88px] min-[1200px]:end-[336px]'
          : 'bottom-5 max-md:bottom-[calc(76px+env(safe-area-inset-bottom))]',
      )}
    >
      <Avatar
        name={person.nick}
        decorative
        src={person.avatar}
        size={48}
        session={{ state, text: t(`video.call.${state}`) }}
      />
      <div className="min-w-0 flex-1">
        <p className="ui truncate font-[600]!">
          <bdi>{formatPersonName(person)}</bdi>
        </p>
        <p
          className={cx(
            'note figures truncate',
            isLow && call.is_met ? 'text-warn' : 'text-text-2',
          )}
        >
          {call.leaving ? t('video.card.ending') : timeText(call, reading)}
        </p>
      </div>
      <Button
        variant="primary"
        size={44}
        icon={<ArrowsOutSimpleIcon size={18} weight="bold" />}
        onClick={onReturn}
      >
        {t('video.card.return')}
      </Button>
      <CallControl
        tone="end"
        label={t('action.end_call')}
        icon={<PhoneDisconnectIcon size={22} weight="fill" />}
        disabled={call.leaving !== null && !call.is_leave_stuck}
        onClick={() => void commands.leave(role === 'girl' ? 'break' : 'end')}
        className="h-11! min-w-11!"
      />
      {call.leaving && call.is_leave_stuck ? <StillOpen nick={person.nick} /> : null}
      {call.leaving ? null : <CallNotices call={call} />}
    </aside>
  )
}

/**
 * The user left, and the server has not closed the call. Explains this state and offers to leave for good or to return.
 */
function StillOpen({ nick }: { nick: string }) {
  const commands = useCallCommands()
  return (
    <div className="flex w-full flex-col gap-2">
      <p className="note text-text-2" role="status">
        {t('video.leaving.stuck', { nick })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size={36} onClick={commands.abandon}>
          {t('video.leaving.out')}
        </Button>
        <Button variant="quiet" size={36} onClick={commands.stay}>
          {t('video.leaving.back', { nick })}
        </Button>
      </div>
    </div>
  )
}

/** The notices that wait for the user: sound that the browser blocks, and the questions to go private or to go on with sound. */
function CallNotices({ call }: { call: RunningCall }) {
  const engine = useCallEngine()
  const { playback_blocked } = useEngineSnapshot()
  return (
    <>
      {playback_blocked ? (
        <Button
          size={36}
          className="w-full"
          icon={<SpeakerHighIcon size={18} weight="fill" />}
          onClick={() => void engine.play()}
        >
          {t('video.call.sound_blocked')}
        </Button>
      ) : null}
      <PrivateCard call={call} />
      <SoundOnlyCard call={call} />
    </>
  )
}

function timeText(call: RunningCall, { seconds, phase, left }: MeterReading): string {
  if (call.entry === 'asking') return t('video.card.enter')
  if (!call.is_met) return t('state.connecting')
  if (phase === 'paused') return t('video.call.paused')
  if (left === null || left > LAST_MINUTE_SECONDS || phase === 'waiting') return clockText(seconds)
  return `${clockText(seconds)} · ${t('video.call.seconds_left', { seconds: left })}`
}

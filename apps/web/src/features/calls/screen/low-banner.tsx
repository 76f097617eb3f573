import type { UserInterlocutor } from '@duet/protocol'
import { Button, Ring } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { useCalls } from '../call-context.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCanAddMinutes } from '../../../shared/queries.ts'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { useNow } from '../../../shared/controls/use-time.ts'
import type { RunningCall } from '../calls-state.ts'
import { useTrouble } from './connection-trouble.ts'
import { LAST_MINUTE_SECONDS, readMeter } from '../meter-clock.ts'

/**
 * In the guy's last minute, shows the time left and how to continue. The banner is not a live region: the announcer
 * announces the minute once.
 */
export function LowBanner({ call }: { call: RunningCall }) {
  const { clock } = useCalls()
  const { role, balance } = useOwnUser()
  const { left, phase } = readMeter(call, clock, balance, useNow(250))
  const trouble = useTrouble(call)
  const canAdd = useCanAddMinutes()
  // The notice about the connection has the same place, and while it is there nothing is charged.
  if (
    trouble ||
    role === 'girl' ||
    left === null ||
    left > LAST_MINUTE_SECONDS ||
    phase === 'waiting'
  )
    return null
  return (
    <div className="absolute inset-x-3 top-[92px] z-overlay flex justify-center max-md:top-[168px]">
      <div
        className={`flex min-h-16 max-w-full items-center gap-3.5 rounded-full p-2 ps-3 ${ON_PICTURE}`}
      >
        <Ring
          value={left / LAST_MINUTE_SECONDS}
          tone="warn"
          size={44}
          glide_ms={300}
          label={t('video.call.seconds_left', { seconds: left })}
        >
          {left}
        </Ring>
        <div className="min-w-0 flex-1">
          <p className="ui font-[600]!">{t('video.low.one')}</p>
          <p className="note text-text/80">{t('video.low.text')}</p>
        </div>
        {canAdd ? <AddButton partner={call.session.user_interlocutor} /> : null}
      </div>
    </div>
  )
}

function AddButton({ partner }: { partner: UserInterlocutor }) {
  return (
    <Button
      variant="primary"
      size={44}
      onClick={() => dialogs.open('not_balance', { last_interlocutor: partner, has_minutes: true })}
    >
      {t('action.add_minutes')}
    </Button>
  )
}

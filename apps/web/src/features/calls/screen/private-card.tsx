import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { Avatar, Button, Ring } from '@duet/ui'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import { Text } from '../../../shared/texts/rich-text.tsx'
import { useCallCommands } from '../call-context.tsx'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { useNow, usePassed } from '../../../shared/controls/use-time.ts'
import { AMOUNT_ICONS } from '../../../shared/texts/amount-icons.tsx'
import type { AskTime, RunningCall } from '../calls-state.ts'

const DECLINED_FOR_MS = 5_000

/** Going private: the question, or the wait for its answer, or a kind no. */
export function PrivateCard({ call }: { call: RunningCall }) {
  const nowMs = useNow(250, call.ask !== null || call.own_ask !== null)
  if (call.ask && nowMs < call.ask.expires_at_ms) return <Question call={call} now_ms={nowMs} />
  if (call.own_ask && nowMs < call.own_ask.expires_at_ms)
    return <Asked call={call} now_ms={nowMs} />
  return call.own_ask_answer ? <Declined key={call.declined_at_ms} call={call} /> : null
}

/** The time left for a question, in whole seconds and as a share of the time that the server gave. */
function timeLeft({ expires_at_ms, lasts_ms }: AskTime, nowMs: number) {
  const leftMs = Math.min(lasts_ms, Math.max(0, expires_at_ms - nowMs))
  const seconds = Math.ceil(leftMs / 1000)
  return { seconds, share: lasts_ms > 0 ? (seconds * 1000) / lasts_ms : 0 }
}

function Question({ call, now_ms }: { call: RunningCall; now_ms: number }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const { user_interlocutor: person } = call.session
  const { price } = call.ask!
  const formatAmount = useAmountFormat()
  const left = timeLeft(call.ask!, now_ms)
  const isGirl = role === 'girl'
  return (
    <section
      aria-labelledby="ask-private"
      className="glass w-full max-w-full rounded-panel p-4 md:w-[400px]"
    >
      <div className="flex items-center gap-3">
        <Avatar name={person.nick} decorative src={person.avatar} size={48} />
        <div className="min-w-0 flex-1">
          <h2 id="ask-private" className="title text-[1rem]!">
            {t('video.ask.title')}
          </h2>
          <p className="note text-text/85">
            <Text
              id={isGirl ? 'video.ask.text_girl' : 'video.ask.text'}
              values={{ price: formatAmount(isGirl ? 'coin' : 'diamond', price) }}
              parts={AMOUNT_ICONS}
            />
          </p>
        </div>
        <Ring
          value={left.share}
          size={40}
          glide_ms={300}
          label={t('video.ask.seconds_left', { seconds: left.seconds })}
        >
          {left.seconds}
        </Ring>
      </div>
      <div className="mt-4 flex gap-2.5">
        <Button className="flex-1" onClick={() => void commands.answerPrivate(false)}>
          {t('action.not_now')}
        </Button>
        <Button
          variant="primary"
          className="flex-1"
          icon={<LockSimpleIcon size={18} weight="fill" />}
          onClick={() => void commands.answerPrivate(true)}
        >
          {t('video.ask.accept')}
        </Button>
      </div>
    </section>
  )
}

function Asked({ call, now_ms }: { call: RunningCall; now_ms: number }) {
  const left = timeLeft(call.own_ask!, now_ms)
  return (
    <p
      className={`ui flex min-h-12 items-center gap-3 self-center rounded-full px-4 ${ON_PICTURE}`}
    >
      <Ring value={left.share} size={32} glide_ms={300}>
        {left.seconds}
      </Ring>
      <span role="status">
        {t('video.ask.waiting', { nick: call.session.user_interlocutor.nick })}
      </span>
    </p>
  )
}

function Declined({ call }: { call: RunningCall }) {
  const isOver = usePassed(call.declined_at_ms, DECLINED_FOR_MS)
  if (isOver) return null
  return (
    <p
      role="status"
      className={`ui flex min-h-12 items-center self-center rounded-full px-5 ${ON_PICTURE}`}
    >
      {t('video.call.ask_declined', { nick: call.session.user_interlocutor.nick })}
    </p>
  )
}

import { Avatar, Button, Ring } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCallCommands } from '../call-context.tsx'
import { useOwnUser } from '../../../shared/video/own-user.tsx'
import { useNow } from '../../../shared/video/use-time.ts'
import type { RunningCall } from '../calls-state.ts'

const SLOW_AFTER_MS = 5_000
/** The server gives up then, and so does hope. */
const GIVE_UP_AFTER_MS = 15_000

/** Her portrait out of focus until her picture is there. */
export function Connecting({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const nowMs = useNow(250)
  const { user_interlocutor: person, free_seconds, connected_at } = call.session
  const waited = nowMs - call.opened_at_ms
  const again = connected_at !== undefined
  return (
    <div className="absolute inset-0 z-overlay flex flex-col items-center justify-center gap-5 overflow-hidden px-6 text-center">
      <span aria-hidden className="scene-glow absolute inset-0" />
      {person.avatar ? (
        <img
          src={person.avatar}
          alt=""
          className="absolute inset-0 size-full scale-110 object-cover opacity-70 blur-[28px] brightness-[.62]"
        />
      ) : null}
      <Ring
        value={Math.min(1, waited / GIVE_UP_AFTER_MS)}
        size={124}
        line={6}
        glide_ms={250}
        className="relative"
      >
        <Avatar name="" src={person.avatar} size={64} className="scale-150" />
      </Ring>
      <div className="relative" role="status">
        <h1 tabIndex={-1} className="display-m outline-none">
          {t(again ? 'video.connecting.again' : 'video.connecting.title', { nick: person.nick })}
        </h1>
        <p className="body mt-1.5 text-text">
          {waitingText(waited, again) ??
            (role === 'girl'
              ? t('video.connecting.girl')
              : t('video.connecting.free', { seconds: free_seconds }))}
        </p>
      </div>
      <Button
        variant="glass"
        size={54}
        className="absolute! bottom-[max(36px,env(safe-area-inset-bottom))] min-w-40"
        busy={call.leaving !== null}
        onClick={() => void commands.leave(role === 'girl' ? 'break' : 'end')}
      >
        {t('video.connecting.cancel')}
      </Button>
    </div>
  )
}

function waitingText(waited: number, again: boolean): string | null {
  if (again) return t('video.connecting.again_text')
  if (waited >= GIVE_UP_AFTER_MS) return t('video.connecting.failed')
  return waited >= SLOW_AFTER_MS ? t('video.connecting.slow') : null
}

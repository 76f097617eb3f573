import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { Button } from '@duet/ui'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'
import { t } from '../../../shared/i18n.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCallCommands } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'

/** Her camera is off: the call ends soon, unless both agree to go on with sound. */
export function SoundOnlyCard({ call }: { call: RunningCall }) {
  const { role } = useOwnUser()
  const { meter, sound_only, session } = call
  // The server's word: it is what ends the call.
  if (meter?.phase !== 'paused' || meter.why !== 'camera_off') return null
  const nick = session.user_interlocutor.nick
  if (sound_only.own)
    return (
      <p
        role="status"
        className={`ui flex min-h-12 items-center gap-3 self-center rounded-full px-5 ${ON_PICTURE}`}
      >
        <VideoCameraSlashIcon size={20} weight="fill" />
        {t(sound_only.partner ? 'video.sound_only.on' : 'video.sound_only.waiting', { nick })}
      </p>
    )
  return <Question nick={nick} isGirl={role === 'girl'} isAsked={sound_only.partner} />
}

interface QuestionProps {
  nick: string
  isGirl: boolean
  /** The partner has agreed already. */
  isAsked: boolean
}

function Question({ nick, isGirl, isAsked }: QuestionProps) {
  const commands = useCallCommands()
  const { busy, press } = usePress(() => commands.goOnWithSound())
  return (
    <section
      aria-labelledby="sound-only"
      className="glass w-full max-w-full rounded-panel p-4 md:w-[400px]"
    >
      <div role="status">
        <h2 id="sound-only" className="title text-[1rem]!">
          {t(isAsked ? 'video.sound_only.asked' : 'video.sound_only.title', { nick })}
        </h2>
        <p className="note mt-1 text-text/85">
          {t(isGirl ? 'video.sound_only.text_girl' : 'video.sound_only.text', { nick })}
        </p>
      </div>
      <Button variant="primary" wide className="mt-4" busy={busy} onClick={() => void press()}>
        {t('video.sound_only.accept')}
      </Button>
    </section>
  )
}

import { Button } from '@duet/ui'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { RunningCall } from '../../features/calls/calls-state.ts'
import { DeniedScreen } from '../../features/devices/denied-screen.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { t } from '../../shared/i18n.ts'
import { useLocalMedia } from '../../shared/video/local-media.tsx'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useVideo } from './video-context.tsx'

/** A call that this page found and has not joined: it opens no device before the user presses. */
export function EnterScreen({ call }: { call: RunningCall }) {
  const { enterCall } = useVideo()
  const { wanted } = useLocalMedia()
  const { busy, press } = usePress(() => enterCall.enter())
  const { nick, avatar } = call.session.user_interlocutor
  return (
    <MessageScreen
      pair={{
        hers: avatar ? { src: avatar, alt: nick, dimmed: true } : { light: 'ember', dimmed: true },
        yours: { children: <OwnPicture /> },
      }}
      title={t('video.enter.title', { nick })}
      text={
        <>
          {t('video.enter.text', { nick })}
          {wanted.camera ? null : ` ${t('video.enter.camera_off')}`}
          {wanted.microphone ? null : ` ${t('video.enter.muted')}`}
        </>
      }
      actions={
        <>
          <Button
            variant="primary"
            size={54}
            wide
            busy={busy}
            icon={<VideoCameraIcon size={20} weight="fill" className="mirror" />}
            onClick={() => void press()}
          >
            {t('video.enter.continue')}
          </Button>
          {wanted.camera ? <WithoutCamera /> : null}
          <EndCall />
        </>
      }
    />
  )
}

/** The browser gave no device for a call: again, on without camera, or the end of the call. */
export function DeniedInCall() {
  return (
    <DeniedScreen
      wayOut={
        <>
          <WithoutCamera />
          <EndCall />
        </>
      }
    />
  )
}

function WithoutCamera() {
  const { enterCall } = useVideo()
  const { busy, press } = usePress(() => enterCall.enter({ camera: false }))
  return (
    <Button size={54} wide busy={busy} onClick={() => void press()}>
      {t('video.enter.without_camera')}
    </Button>
  )
}

function EndCall() {
  const { callCommands } = useVideo()
  const { role } = useOwnUser()
  return (
    <Button
      variant="quiet"
      wide
      onClick={() => void callCommands.leave(role === 'girl' ? 'break' : 'end')}
    >
      {t('action.end_call')}
    </Button>
  )
}

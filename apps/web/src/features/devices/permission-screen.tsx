import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useDeviceGate } from './device-context.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'

/** The own explanation, before the browser asks. */
export function PermissionScreen() {
  const gate = useDeviceGate()
  const { busy, press: allow } = usePress(() => gate.allow())
  return (
    <MessageScreen
      pair={{
        hers: { light: 'ember', icon: <VideoCameraIcon size={64} weight="duotone" /> },
        yours: { light: 'moon', icon: <MicrophoneIcon size={56} weight="duotone" /> },
        layout: { hers: [0, 0, 135, 170], yours: [96, 67, 117, 140] },
      }}
      title={t('video.permission.title')}
      text={t('video.permission.text')}
      actions={
        <>
          <Button
            variant="primary"
            size={54}
            wide
            busy={busy}
            icon={<VideoCameraIcon size={20} weight="fill" />}
            onClick={() => void allow()}
          >
            {t('video.permission.allow')}
          </Button>
          <Button variant="quiet" size={44} wide onClick={gate.close}>
            {t('action.not_now')}
          </Button>
        </>
      }
    />
  )
}

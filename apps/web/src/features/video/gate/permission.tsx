import { useState } from 'react'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Button } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useCommands } from '../room.tsx'
import { StoryScene } from '../scene-frame.tsx'

/** The own explanation, before the browser asks. */
export function Permission({ resumes }: { resumes: boolean }) {
  const commands = useCommands()
  const [busy, setBusy] = useState(false)
  const allow = async () => {
    setBusy(true)
    await commands.allow()
    setBusy(false)
  }
  return (
    <StoryScene
      pair={{
        hers: { light: 'ember', icon: <VideoCameraIcon size={64} weight="duotone" /> },
        yours: { light: 'moon', icon: <MicrophoneIcon size={56} weight="duotone" /> },
        layout: { hers: [0, 0, 135, 170], yours: [96, 67, 117, 140] },
      }}
      title={t('video.permission.title')}
      text={t(resumes ? 'video.permission.resume_text' : 'video.permission.text')}
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
          {resumes ? null : (
            <Button variant="quiet" size={44} wide onClick={commands.closeGate}>
              {t('video.permission.not_now')}
            </Button>
          )}
        </>
      }
    />
  )
}

import { VideoCameraSlashIcon } from '@phosphor-icons/react/dist/csr/VideoCameraSlash'
import { t } from '../../../shared/i18n.ts'
import { useEngineSnapshot } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { useTrouble } from './connection-trouble.ts'
import { SoftPortrait } from './soft-portrait.tsx'

/** The partner is there, but the camera is off. A portrait replaces the frozen picture. */
export function PartnerOff({ call }: { call: RunningCall }) {
  const { picture, phase } = useEngineSnapshot()
  const trouble = useTrouble(call)
  if (picture !== 'still' || phase !== 'connected' || trouble) return null
  const { nick, avatar } = call.session.user_interlocutor
  return (
    <div className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-hidden bg-bg">
      <span aria-hidden className="scene-glow absolute inset-0" />
      {avatar ? <SoftPortrait src={avatar} /> : null}
      <VideoCameraSlashIcon size={44} weight="fill" className="relative text-text" />
      <p role="status" className="title relative">
        {t('video.call.partner_camera_off', { nick })}
      </p>
    </div>
  )
}

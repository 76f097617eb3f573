import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { useState } from 'react'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/video/own-user.tsx'
import type { RunningCall } from './calls-state.ts'
import { SoftPortrait } from './screen/soft-portrait.tsx'

/**
 * With safe video, a blurred portrait covers the partner's picture until the viewer presses. A filter on the live
 * picture would be computed again for every frame.
 */
export function SafeCover({ call }: { call: RunningCall }) {
  const { safe_video } = useOwnUser()
  const { id, user_interlocutor: person } = call.session
  const [uncoveredId, uncover] = useState<number>()
  if (!safe_video || uncoveredId === id) return null
  return (
    <div
      data-safe-cover
      className="absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-hidden bg-bg"
    >
      <span aria-hidden className="scene-glow absolute inset-0" />
      {person.avatar ? <SoftPortrait src={person.avatar} /> : null}
      <p className="title relative">{t('video.safe.text', { nick: person.nick })}</p>
      <Button
        variant="secondary"
        size={54}
        className="relative"
        icon={<EyeIcon size={20} />}
        onClick={() => uncover(id)}
      >
        {t('video.safe.show')}
      </Button>
    </div>
  )
}

import { useState } from 'react'
import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { ScanIcon } from '@phosphor-icons/react/dist/csr/Scan'
import { SirenIcon } from '@phosphor-icons/react/dist/csr/Siren'
import { Dialog, IconButton } from '@duet/ui'
import { useOwnUser } from '../../../shared/account/own-user.tsx'
import { t } from '../../../shared/i18n.ts'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { report } from '../../../shared/people/report.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCallCommands } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'

/** A report of the partner, and the panic key: one press ends the call and blocks the partner. */
export function SafetyButtons({ call }: { call: RunningCall }) {
  const commands = useCallCommands()
  return (
    <>
      <IconButton
        variant="quiet"
        size={44}
        className={ON_PICTURE}
        label={t('action.report')}
        icon={<FlagIcon size={20} />}
        onClick={() => reportPartner(call)}
      />
      <IconButton
        variant="quiet"
        size={44}
        className={`${ON_PICTURE} text-danger!`}
        label={t('video.safety.panic')}
        icon={<SirenIcon size={20} weight="fill" />}
        disabled={call.leaving !== null}
        onClick={() => void commands.panic()}
      />
    </>
  )
}

export function reportPartner({ session }: RunningCall): void {
  report({ person: session.user_interlocutor, session_id: session.id, in_call: true })
}

/** Says that pictures of a public call are checked: which, by what, and how long they are kept. */
export function FramesNote({ call }: { call: RunningCall }) {
  const { role } = useOwnUser()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  useBackEntry(open, close)
  const { state, user_interlocutor: person } = call.session
  if (state !== 'public' || person.is_companion) return null
  return (
    <>
      <IconButton
        variant="quiet"
        size={44}
        className={ON_PICTURE}
        label={t('video.frames.title')}
        icon={<ScanIcon size={20} />}
        onClick={() => setOpen(true)}
      />
      <Dialog
        open={open}
        onClose={close}
        title={t('video.frames.title')}
        closeLabel={t('action.close')}
      >
        <div className="body flex flex-col gap-3 text-text-2">
          <p>
            {role === 'girl'
              ? t('video.frames.girl')
              : t('video.frames.guy', { nick: person.nick })}
          </p>
          <p>{t('video.frames.kept')}</p>
          <p>{t('video.frames.private')}</p>
        </div>
      </Dialog>
    </>
  )
}

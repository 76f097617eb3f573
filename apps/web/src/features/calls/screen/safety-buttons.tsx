import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { SirenIcon } from '@phosphor-icons/react/dist/csr/Siren'
import { IconButton } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
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

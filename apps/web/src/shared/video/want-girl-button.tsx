import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import type { UserInterlocutor } from '@duet/protocol'
import { Button } from '@duet/ui'
import { useAction } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { patchPerson } from '../people/people.ts'

/** For a guy, on a girl who is offline: asks for a notice when she comes online, or ends the wish. Needs the texts `notices`. */
export function WantGirlButton({ girl }: { girl: Pick<UserInterlocutor, 'id' | 'is_wanted'> }) {
  const { run, busy } = useAction('WANT_GIRL')
  const isWanted = girl.is_wanted ?? false
  const press = async () => {
    if (await run({ user_id: girl.id, on: !isWanted }))
      patchPerson(girl.id, { is_wanted: !isWanted })
  }
  return (
    <Button
      variant="secondary"
      aria-pressed={isWanted}
      busy={busy}
      icon={isWanted ? <BellRingingIcon size={20} weight="fill" /> : <BellIcon size={20} />}
      onClick={() => void press()}
    >
      {isWanted ? t('want_girl.on') : t('want_girl.off')}
    </Button>
  )
}

import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import type { UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { patchPerson } from '../../shared/people/people.ts'
import { useMembership } from '../../shared/people/use-membership.ts'
import { usePress } from '../../shared/controls/use-press.ts'

interface WantGirlButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'className'> {
  readonly girl: Pick<UserInterlocutor, 'id' | 'is_wanted'>
}

/**
 * For a guy, while the girl is offline: requests a notice of her next visit, or ends the request. A visitor logs in
 * first.
 */
export function WantGirlButton({ girl, variant = 'secondary', ...look }: WantGirlButtonProps) {
  const { connection } = useAppServices()
  const membership = useMembership()
  const isWanted = girl.is_wanted ?? false
  const { busy, press } = usePress(async () => {
    if (!(await membership())) return
    await connection.act('WANT_GIRL', { user_id: girl.id, on: !isWanted })
    patchPerson(girl.id, { is_wanted: !isWanted })
  })
  return (
    <Button
      {...look}
      // After the wish, this is not the primary action any more.
      variant={isWanted ? 'secondary' : variant}
      aria-pressed={isWanted}
      busy={busy}
      icon={isWanted ? <BellRingingIcon size={20} weight="fill" /> : <BellIcon size={20} />}
      onClick={() => void press()}
    >
      {isWanted ? t('want_girl.on') : t('want_girl.off')}
    </Button>
  )
}

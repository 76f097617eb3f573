import { NotePencilIcon } from '@phosphor-icons/react/dist/csr/NotePencil'
import { IconButton } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { useWriteTo } from '../../../shared/people/use-write.ts'

/** Opens the dialog with a favourite who is chosen. */
export function NewDialogButton() {
  const isGuy = useOwnUser()?.role === 'men'
  const { busy, writeTo } = useWriteTo()
  const choose = async () => {
    const person = await dialogs.ask('choose_person', {})
    if (person) writeTo(person)
  }
  return (
    <IconButton
      variant="quiet"
      busy={busy}
      label={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
      icon={<NotePencilIcon size={24} />}
      onClick={() => void choose()}
    />
  )
}

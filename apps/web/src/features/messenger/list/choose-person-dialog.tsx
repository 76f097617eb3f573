import { Dialog } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { ChoosePerson } from './choose-person.tsx'

/** Chooses the user for a new dialog. */
export function ChoosePersonDialog({ open, close }: OpenDialogProps<'choose_person'>) {
  const isGuy = useOwnUser()?.role !== 'girl'
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t(isGuy ? 'messenger.empty_guy' : 'messenger.empty')}
      closeLabel={t('action.close')}
    >
      <div className="-mx-3 max-h-[56dvh] overflow-y-auto">
        <p className="note px-3 pb-1 text-text-3">{t('messenger.choose_favourites')}</p>
        <ChoosePerson onChoose={close} />
      </div>
    </Dialog>
  )
}

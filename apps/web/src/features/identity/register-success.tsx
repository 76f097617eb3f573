import { Button, Dialog, PetalPair } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { useOwnUser, useSnapshot } from '../../shared/app-services.tsx'

/** Welcomes a new member and names the free seconds. */
export function RegisterSuccess({ open, close }: OpenDialogProps<'register_success'>) {
  const user = useOwnUser()
  const { auth } = useSnapshot()
  const nick = user?.nick ?? ''
  const seconds = auth?.free_quota ?? 0
  const text =
    user?.role === 'girl' ? t('register.success_girl') : t('register.success_guy', { seconds })
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      align="center"
      emblem={
        <PetalPair
          layout="story"
          hers={{ light: 'ember' }}
          yours={{ light: 'moon' }}
          className="w-40"
        />
      }
      title={t('register.success', { nick })}
      description={text}
      actions={
        <Button variant="primary" size={54} wide onClick={() => close()}>
          {t('register.success_go')}
        </Button>
      }
    />
  )
}

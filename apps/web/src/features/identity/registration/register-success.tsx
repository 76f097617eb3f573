import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { Button, Dialog, PetalPair } from '@duet/ui'
import { Text } from '../../../shared/texts/rich-text.tsx'
import { t } from '../../../shared/i18n.ts'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { useSendsMail } from '../../../shared/queries.ts'
import { useOwnUser, useSnapshot } from '../../../shared/app-services.tsx'

/** Welcomes a new member, names the free seconds, and asks to confirm the address. */
export function RegisterSuccess({ open, close }: OpenDialogProps<'register_success'>) {
  const user = useOwnUser()
  const { auth } = useSnapshot()
  const sendsMail = useSendsMail()
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
      title={t('register.success', { nick: user?.nick ?? '' })}
      description={text}
      actions={
        <Button variant="primary" size={54} wide onClick={() => close()}>
          {t('register.success_go')}
        </Button>
      }
    >
      {sendsMail && user?.email && !user.email_confirmed ? (
        <div className="flex items-start gap-3 rounded-field bg-surface-2 p-4 text-start">
          <EnvelopeSimpleIcon size={24} className="mt-0.5 shrink-0 text-ember-hi" />
          <span className="min-w-0">
            <span className="title block">{t('register.inbox')}</span>
            <span className="note mt-0.5 block break-words text-text-2">
              <Text
                id="register.inbox_text"
                parts={{ email: () => <bdi dir="ltr">{user.email}</bdi> }}
              />
            </span>
          </span>
        </div>
      ) : null}
    </Dialog>
  )
}

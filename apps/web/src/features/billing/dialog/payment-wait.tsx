import { Button, buttonLook, Dialog, Spinner } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import type { PaymentInTab } from './use-payment.ts'

/** The buyer is at the provider. The dialog closes by itself when the payment has come in. */
export function PaymentWait({
  open,
  payment,
  onCancel,
}: {
  open: boolean
  payment: PaymentInTab
  onCancel: () => void
}) {
  const { url, is_blocked, is_checked } = payment
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      align="center"
      emblem={is_checked ? undefined : <Spinner size={40} />}
      title={t(is_checked ? 'billing.checking' : 'billing.waiting')}
      description={t(is_checked ? 'billing.checking_text' : 'billing.waiting_text')}
      actions={
        <>
          <Button size={54} wide onClick={onCancel}>
            {t(is_checked ? 'action.close' : 'action.cancel')}
          </Button>
          {is_checked ? null : (
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              className={buttonLook({
                variant: is_blocked ? 'primary' : 'quiet',
                size: 54,
                wide: true,
              })}
            >
              {t(is_blocked ? 'billing.open_page' : 'billing.open_again')}
            </a>
          )}
        </>
      }
    />
  )
}

import { useEffect, useRef } from 'react'
import { Button, Dialog, Spinner } from '@duet/ui'
import { captchaView, type CaptchaView } from '../../../shared/account/captcha-view.ts'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { ProviderWidget } from './provider-widget.tsx'

/** A captcha that takes longer than a moment, needs an answer, or failed. It closes by itself once it is solved. */
export function CaptchaDialog({ input: { key }, open, close }: OpenDialogProps<'captcha'>) {
  const view = useStore(captchaView)
  const current = view?.key === key ? view : undefined
  useEffect(() => {
    if (!current) close()
  }, [current, close])
  const isFailed = current?.phase === 'failed'
  const again = useRef<HTMLButtonElement>(null)
  // The focus was in the check that is gone.
  useEffect(() => {
    if (isFailed) again.current?.focus()
  }, [isFailed])
  const text = current?.challenge.kind === 'altcha' ? t('captcha.text') : t('captcha.widget_text')
  return (
    <Dialog
      open={open && current !== undefined}
      onClose={() => current?.cancel()}
      title={isFailed ? t('captcha.failed_title') : t('captcha.title')}
      description={isFailed ? t('captcha.failed') : text}
      actions={
        <>
          <Button variant="outline" onClick={() => current?.cancel()}>
            {t('action.cancel')}
          </Button>
          {isFailed ? (
            <Button ref={again} variant="primary" onClick={current.retry}>
              {t('action.retry')}
            </Button>
          ) : null}
        </>
      }
    >
      {current && !isFailed ? <CaptchaCheck view={current} /> : null}
    </Dialog>
  )
}

/** The check of a provider, or the work that the page does by itself. */
function CaptchaCheck({ view: { challenge, answer, fail } }: { view: CaptchaView }) {
  if (challenge.kind !== 'altcha')
    return <ProviderWidget challenge={challenge} onAnswer={answer} onFailure={fail} />
  return (
    <p role="status" className="note flex items-center gap-2 text-text-2">
      <Spinner />
      {t('captcha.solving')}
    </p>
  )
}

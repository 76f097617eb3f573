import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { RefusedError } from '@duet/client'
import { Button, buttonLook } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'

type UnsubscribeState = 'asked' | 'busy' | 'done' | 'wrong_link' | 'failed' | 'refused'

function toState(error: unknown): UnsubscribeState {
  if (!(error instanceof RefusedError)) return 'failed'
  // A link that was cut off is `invalid` before anybody looks for it.
  const isWrong = error.refusal === 'not_found' || error.refusal === 'invalid'
  return isWrong ? 'wrong_link' : 'refused'
}

/** The page of a mail's link. It asks first: programs that look at every link must not end the mails. */
export function UnsubscribePage() {
  const { token = '' } = useParams()
  const { connection } = useAppServices()
  const [state, setState] = useState<UnsubscribeState>('asked')
  const end = async () => {
    setState('busy')
    try {
      await connection.http.post('/unsubscribe/{token}', { token })
      setState('done')
    } catch (error) {
      setState(toState(error))
    }
  }
  const isOver = state === 'done' || state === 'wrong_link'
  return (
    <main className="flex min-h-[70dvh] items-center justify-center px-4 py-10">
      <div className="panel flex w-full max-w-[440px] flex-col items-center gap-4 p-8 text-center">
        <EnvelopeSimpleIcon size={40} weight="duotone" className="text-ember-hi" />
        <h1 tabIndex={-1} className="display-s">
          {t(`unsubscribe.${isOver ? state : 'title'}`)}
        </h1>
        <p className="body text-text-2" role={state === 'asked' ? undefined : 'status'}>
          {t(`unsubscribe.${state === 'busy' ? 'asked' : state}_text`)}
        </p>
        {isOver ? (
          <Link to="/" className={buttonLook({ variant: 'secondary' })}>
            {t('action.back_home')}
          </Link>
        ) : (
          <Button busy={state === 'busy'} onClick={() => void end()}>
            {t('unsubscribe.stop')}
          </Button>
        )}
      </div>
    </main>
  )
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Button, buttonLook } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { MessageCard } from './message-card.tsx'

type State = 'waiting' | 'done' | 'invalid' | 'unanswered'

/** `/confirm/:key`: confirms the address that a mail went to. */
export function ConfirmPage() {
  const { key = '' } = useParams()
  const { connection } = useAppServices()
  const [state, setState] = useState<State>('waiting')
  const asked = useRef(false)
  const confirm = useCallback(async () => {
    setState('waiting')
    try {
      await connection.http.post('auth/email/confirm', { key })
      setState('done')
    } catch (error) {
      const isInvalid = error instanceof RefusedError && error.refusal === 'recovery_invalid'
      setState(isInvalid ? 'invalid' : 'unanswered')
    }
  }, [connection, key])
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void confirm()
  }, [confirm])

  if (state === 'waiting')
    return <MessageCard title={t('confirm.title')} text={t('confirm.wait')} />
  if (state === 'done')
    return (
      <MessageCard title={t('confirm.done_title')} text={t('confirm.done_text')}>
        <CardLink to="/">{t('confirm.go')}</CardLink>
      </MessageCard>
    )
  if (state === 'invalid')
    return (
      <MessageCard title={t('confirm.invalid_title')} text={t('confirm.invalid_text')}>
        <CardLink to="/profile/#email">{t('confirm.to_profile')}</CardLink>
      </MessageCard>
    )
  return (
    <MessageCard title={t('confirm.unanswered_title')} text={t('confirm.unanswered_text')}>
      <Button variant="primary" size={54} wide className="mt-7" onClick={() => void confirm()}>
        {t('confirm.again')}
      </Button>
    </MessageCard>
  )
}

function CardLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`${buttonLook({ variant: 'primary', size: 54 })} mt-7 w-full`}>
      {children}
    </Link>
  )
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { Button, buttonLook } from '@duet/ui'
import { hasText, t } from '../../../shared/i18n.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { MessageCard } from './message-card.tsx'

type State =
  | { readonly type: 'waiting' | 'done' | 'invalid' | 'unanswered' }
  | { readonly type: 'refused'; readonly text: string }

const WAITING: State = { type: 'waiting' }

function toState(error: unknown): State {
  if (!(error instanceof RefusedError)) return { type: 'unanswered' }
  const { refusal } = error
  // A link that was cut off is `invalid` before anybody looks for it.
  if (refusal === 'recovery_invalid' || refusal === 'invalid') return { type: 'invalid' }
  const id = `error.${refusal}`
  return { type: 'refused', text: t(hasText(id) ? id : 'error.undefined') }
}

/** `/confirm/:key`: confirms the address that a mail went to. */
export function ConfirmPage() {
  const { key = '' } = useParams()
  const { connection } = useAppServices()
  const [state, setState] = useState(WAITING)
  const asked = useRef(false)
  const confirm = useCallback(async () => {
    setState(WAITING)
    try {
      await connection.http.post('auth/email/confirm', { key })
      setState({ type: 'done' })
    } catch (error) {
      setState(toState(error))
    }
  }, [connection, key])
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    void confirm()
  }, [confirm])

  if (state.type === 'waiting')
    return <MessageCard title={t('confirm.title')} text={t('confirm.wait')} />
  if (state.type === 'done')
    return (
      <MessageCard title={t('confirm.done_title')} text={t('confirm.done_text')}>
        <CardLink to="/">{t('confirm.go')}</CardLink>
      </MessageCard>
    )
  if (state.type === 'invalid')
    return (
      <MessageCard title={t('confirm.invalid_title')} text={t('confirm.invalid_text')}>
        <CardLink to="/profile/#email">{t('confirm.to_profile')}</CardLink>
      </MessageCard>
    )
  const isRefused = state.type === 'refused'
  return (
    <MessageCard
      title={t(isRefused ? 'confirm.failed_title' : 'confirm.unanswered_title')}
      text={isRefused ? state.text : t('confirm.unanswered_text')}
    >
      <Button variant="primary" size={54} wide className="mt-7" onClick={() => void confirm()}>
        {t('action.retry')}
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

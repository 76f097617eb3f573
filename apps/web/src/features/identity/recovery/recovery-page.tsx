import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Button } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { MessageCard } from './message-card.tsx'
import { NewPasswordForm } from './new-password-form.tsx'

/** `/recovery/:recoveryKey`: sets a new password by the link of a mail. */
export function RecoveryPage() {
  const { recoveryKey = '' } = useParams()
  const [state, setState] = useState<'form' | 'done' | 'invalid'>('form')
  const navigate = useNavigate()

  async function logIn(): Promise<void> {
    await navigate('/')
    dialogs.open('login', {})
  }

  if (state === 'done')
    return (
      <MessageCard title={t('recovery.done_title')} text={t('recovery.done_text')}>
        <Button variant="primary" size={54} wide className="mt-7" onClick={() => void logIn()}>
          {t('action.log_in')}
        </Button>
      </MessageCard>
    )
  if (state === 'invalid')
    return (
      <MessageCard title={t('recovery.invalid_title')} text={t('recovery.invalid_text')}>
        <Button
          variant="primary"
          size={54}
          wide
          className="mt-7"
          onClick={() => dialogs.open('recovery', {})}
        >
          {t('recovery.again')}
        </Button>
      </MessageCard>
    )
  return (
    <MessageCard title={t('recovery.title')} text={t('recovery.text')}>
      <NewPasswordForm
        recoveryKey={recoveryKey}
        onDone={() => setState('done')}
        onInvalid={() => setState('invalid')}
      />
    </MessageCard>
  )
}

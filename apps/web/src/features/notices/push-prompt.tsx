import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { usePush } from './use-push.ts'

/** Above the lines of the bell, until the browser's question is answered: notices can come while Duet is closed. */
export function PushPrompt() {
  const { permission, busy, turnOn } = usePush()
  if (permission !== 'asked') return null
  return (
    <div className="mx-2 mb-2 flex flex-wrap items-center gap-3 rounded-row bg-surface-4 p-3">
      <BellRingingIcon size={20} className="text-ember-hi" />
      <p className="note min-w-0 flex-1 text-text-2">{t('notices.push_prompt')}</p>
      <Button variant="secondary" size={36} busy={busy} onClick={() => void turnOn()}>
        {t('action.turn_on')}
      </Button>
    </div>
  )
}

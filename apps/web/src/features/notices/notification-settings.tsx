import { Switch } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { usePush } from './use-push.ts'
import { useOwnField } from '../../shared/account/own-field.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

/** The switches for news outside of the page. Security, warnings and receipts are always mailed. */
export function NotificationSettings() {
  const user = useOwnUser()
  const [mailsNews = false, setMailsNews] = useOwnField('noty_email')
  const [tellsWanted = false, setTellsWanted] = useOwnField('noty_wanted_girl')
  const [tellsPremium = false, setTellsPremium] = useOwnField('noty_premium_guest')
  if (!user) return null
  return (
    <div className="panel flex flex-col gap-2 p-5">
      <Switch
        checked={mailsNews}
        onChange={setMailsNews}
        label={t('word.email')}
        help={
          user.email_confirmed
            ? t('notices.settings.email_help')
            : t('notices.settings.unconfirmed')
        }
      />
      <PushSwitch />
      {user.role !== 'girl' ? (
        <Switch
          checked={tellsWanted}
          onChange={setTellsWanted}
          label={t('notices.settings.wanted')}
          help={t('notices.settings.wanted_help')}
        />
      ) : (
        <Switch
          checked={tellsPremium}
          onChange={setTellsPremium}
          label={t('notices.settings.premium')}
          help={t('notices.settings.premium_help')}
        />
      )}
    </div>
  )
}

function PushSwitch() {
  const { permission, busy, isOn, turnOn, turnOff } = usePush()
  return (
    <Switch
      checked={isOn}
      disabled={busy || permission === 'unsupported' || permission === 'denied'}
      onChange={(on) => void (on ? turnOn() : turnOff())}
      label={t('notices.settings.push')}
      help={t(`notices.settings.push_${permission}`)}
    />
  )
}

import { Switch } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { usePush } from './use-push.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'

/** The switches for news outside of the page. Mails about security are always sent. */
export function NotificationSettings() {
  const user = useOwnUser()
  const turn = useTurn()
  if (!user) return null
  return (
    <div className="panel flex flex-col gap-2 p-5">
      <Switch
        checked={user.noty_email}
        onChange={(on) => turn('noty_email', on)}
        label={t('notices.settings.email')}
        help={
          user.email_confirmed
            ? t('notices.settings.email_help')
            : t('notices.settings.unconfirmed')
        }
      />
      <PushSwitch />
      {user.role === 'men' ? (
        <Switch
          checked={user.noty_wanted_girl}
          onChange={(on) => turn('noty_wanted_girl', on)}
          label={t('notices.settings.wanted')}
          help={t('notices.settings.wanted_help')}
        />
      ) : (
        <Switch
          checked={user.noty_premium_guest}
          onChange={(on) => turn('noty_premium_guest', on)}
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

type NotySwitch = 'noty_email' | 'noty_wanted_girl' | 'noty_premium_guest'

/** A switch changes at once, and back if the server refuses. */
function useTurn(): (field: NotySwitch, on: boolean) => void {
  const { connection, report } = useAppServices()
  return (field, on) => {
    connection.patchUser({ [field]: on })
    connection.act('UPDATE_PROFILE', { [field]: on }).catch((error: unknown) => {
      connection.patchUser({ [field]: !on })
      report(error)
    })
  }
}

import { Switch } from '@duet/ui'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { useSearchCommands } from './search-context.tsx'

/** With this switch on, offers are accepted without the card. */
export function AutoAcceptSwitch({ label, help }: { label: string; help?: string }) {
  const commands = useSearchCommands()
  const { auto_accept } = useOwnUser()
  return (
    <Switch
      checked={auto_accept}
      onChange={(on) => void commands.setAutoAccept(on)}
      label={label}
      help={help}
    />
  )
}

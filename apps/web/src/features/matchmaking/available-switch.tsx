import { Switch } from '@duet/ui'
import { useOwnField } from '../../shared/account/own-field.ts'
import { t } from '../../shared/i18n.ts'

/** Whether guests may call the girl directly. It does not depend on being online. */
export function AvailableSwitch() {
  const [isAvailable = true, setAvailable] = useOwnField('available')
  return (
    <Switch
      checked={isAvailable}
      onChange={setAvailable}
      label={t('matching.studio.available')}
      help={t('matching.studio.available_text')}
    />
  )
}

import { TranslateIcon } from '@phosphor-icons/react/dist/csr/Translate'
import { IconButton, Switch, useMobile } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { useSystem } from '../../../shared/queries.ts'
import { useMessenger } from '../use-messenger.ts'

/** Shows the interlocutor's messages of this dialog translated; absent where the installation translates nothing. */
export function TranslateSwitch({ dialog_id }: { dialog_id: number }) {
  const { translations, setTranslated } = useMessenger()
  const isOn = useStore(translations, ({ dialogs }) => dialogs.has(dialog_id))
  const isOffered = useSystem()?.features.translation.on === true
  const isMobile = useMobile()
  if (!isOffered) return null
  if (isMobile)
    return (
      <IconButton
        variant="quiet"
        label={t('messenger.translate.switch')}
        aria-pressed={isOn}
        icon={<TranslateIcon size={24} className={isOn ? 'text-ember-hi' : undefined} />}
        onClick={() => setTranslated(dialog_id, !isOn)}
      />
    )
  return (
    <Switch
      checked={isOn}
      onChange={(on) => setTranslated(dialog_id, on)}
      label={t('messenger.translate.switch')}
      icon={<TranslateIcon size={18} className="text-ember-hi" />}
      className="rounded-full bg-surface-2 px-4 shadow-[inset_0_0_0_1px_var(--hair-2)]"
    />
  )
}

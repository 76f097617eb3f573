import { useMobile } from '@duet/ui'
import { useStore } from '../../../shared/observable-store.ts'
import { TranslateSwitch } from '../../../shared/texts/translation/translate-switch.tsx'
import { useMessenger } from '../use-messenger.ts'

/** Shows the interlocutor's messages of this dialog translated. */
export function DialogTranslationSwitch({ dialog_id }: { dialog_id: number }) {
  const { translated, setTranslated } = useMessenger()
  const isOn = useStore(translated, ({ dialogs }) => dialogs.has(dialog_id))
  const isMobile = useMobile()
  return (
    <TranslateSwitch on={isOn} compact={isMobile} onChange={(on) => setTranslated(dialog_id, on)} />
  )
}

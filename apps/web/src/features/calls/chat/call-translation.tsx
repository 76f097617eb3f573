import { useAppServices } from '../../../shared/app-services.tsx'
import { useStore } from '../../../shared/observable-store.ts'
import { TranslateSwitch } from '../../../shared/texts/translation/translate-switch.tsx'
import { getTranslations } from '../../../shared/texts/translation/translations.ts'
import {
  useTranslation,
  type ShownTranslation,
} from '../../../shared/texts/translation/use-translation.ts'
import type { CallText } from '../calls-state.ts'

/** Shows translations of the partner's texts, in this call and the next calls. */
export function CallTranslationSwitch() {
  const { in_calls } = getTranslations(useAppServices().connection)
  const isOn = useStore(in_calls)
  return <TranslateSwitch on={isOn} compact onChange={in_calls.set} />
}

/** The translation of a text of the partner, where texts are read translated. */
export function useTextTranslation(
  { text_id, sender_id, text }: CallText,
  ownId: number,
): ShownTranslation | undefined {
  const { in_calls } = getTranslations(useAppServices().connection)
  const isOn = useStore(in_calls)
  return useTranslation({
    kind: 'text_id',
    id: text_id ?? 0,
    original: text,
    is_wanted: isOn && sender_id !== ownId && text_id !== null,
  })
}

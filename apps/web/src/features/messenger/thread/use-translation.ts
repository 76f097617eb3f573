import { useEffect, useState } from 'react'
import type { Message } from '@duet/protocol'
import { currentLocale } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { useSystem } from '../../../shared/queries.ts'
import type { TranslatedText } from '../state/translations.ts'
import { useMessenger } from '../use-messenger.ts'

/** The translation of a message as its row shows it. */
export interface ShownTranslation {
  readonly status: 'loading' | 'failed' | 'ready'
  /** The language of the original, where it was recognised. */
  readonly from: string | undefined
  /** In place of the original. */
  readonly shown: { readonly text: string; readonly locale: string } | undefined
  readonly retry: () => void
  /** Shows the original in place of the translation, and the reverse. */
  readonly toggle: () => void
}

/** The translation of the interlocutor's text, where the dialog is read translated and the text is of another language. */
export function useTranslation(message: Message, isOwn: boolean): ShownTranslation | undefined {
  const { dialog_id, message_id, type, removed } = message
  const { translations, translate } = useMessenger()
  const isOn = useStore(translations, ({ dialogs }) => dialogs.has(dialog_id))
  const known = useStore(translations, ({ texts }) => texts.get(message_id))
  const [isOriginal, setOriginal] = useState(false)
  const isOffered = useSystem()?.features.translation.on === true
  const isWanted = isOffered && isOn && !isOwn && type === 'text' && !removed
  const locale = currentLocale()
  const isDecided = isDecidedIn(locale, known)
  useEffect(() => {
    // A row that leaves the screen before its turn asks for nothing.
    if (isWanted && !isDecided) return translate(message_id)
    return undefined
  }, [isWanted, isDecided, translate, message_id])
  if (!isWanted || !known) return undefined
  const actions = {
    retry: () => void translate(message_id),
    toggle: () => setOriginal((before) => !before),
  }
  if (known.status !== 'ready')
    return { status: known.status, from: undefined, shown: undefined, ...actions }
  const { text, from } = known
  if (from === locale || text.trim() === message.message.trim()) return undefined
  const shown = isOriginal ? undefined : { text, locale: known.locale }
  return { status: 'ready', from, shown, ...actions }
}

/** Nothing is asked for until the text is wanted in another language. */
function isDecidedIn(locale: string, known: TranslatedText | undefined): boolean {
  return known?.status === 'failed' || (known?.status === 'ready' && known.locale === locale)
}

import { useEffect, useState } from 'react'
import { useAppServices } from '../../app-services.tsx'
import { currentLocale } from '../../i18n.ts'
import { useStore } from '../../observable-store.ts'
import { useSystem } from '../../queries.ts'
import { getKey, getTranslations, type Translatable, type TranslatedText } from './translations.ts'

/** The translation of a text as its row shows it. */
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

/** Whether this installation translates. */
export function useTranslates(): boolean {
  return useSystem()?.features.translation.on === true
}

interface TranslationQuestion {
  readonly kind: Translatable['kind']
  readonly id: number
  readonly original: string
  readonly is_wanted: boolean
}

/** The translation of a text, where it is wanted, this installation translates, and the text is of another language. */
export function useTranslation({
  kind,
  id,
  original,
  is_wanted,
}: TranslationQuestion): ShownTranslation | undefined {
  const { connection } = useAppServices()
  const { texts, translate } = getTranslations(connection)
  const isWanted = useTranslates() && is_wanted
  const known = useStore(texts, (all) => all.get(getKey({ kind, id })))
  const [isOriginal, setOriginal] = useState(false)
  const locale = currentLocale()
  const isDecided = isDecidedIn(locale, known)
  useEffect(() => {
    // A row that leaves the screen before its turn asks for nothing.
    if (isWanted && !isDecided) return translate({ kind, id })
    return undefined
  }, [isWanted, isDecided, translate, kind, id])
  if (!isWanted || !known) return undefined
  const actions = {
    retry: () => void translate({ kind, id }),
    toggle: () => setOriginal((before) => !before),
  }
  if (known.status !== 'ready')
    return { status: known.status, from: undefined, shown: undefined, ...actions }
  const { text, from } = known
  if (from === locale || text.trim() === original.trim()) return undefined
  const shown = isOriginal ? undefined : { text, locale: known.locale }
  return { status: 'ready', from, shown, ...actions }
}

/** Nothing is asked for until the text is wanted in another language. */
function isDecidedIn(locale: string, known: TranslatedText | undefined): boolean {
  return known?.status === 'failed' || (known?.status === 'ready' && known.locale === locale)
}

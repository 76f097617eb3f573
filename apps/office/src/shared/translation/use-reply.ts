import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { useTranslates } from '../session.tsx'
import { textLocale } from '../texts.ts'
import { useSettled } from '../use-settled.ts'
import { translate } from './translate.ts'

/** The text is read back this long after the last key. */
const PAUSE_MS = 800

export interface Reply {
  readonly text: string
  readonly change: (text: string) => void
  /** Sets a text in the language of the office, and puts it into that of the user where a service can. */
  readonly propose: (text: string) => void
  /** The language of the user, where it is another one and a service translates. */
  readonly language: Locale | undefined
  readonly isTranslating: boolean
  readonly error: Error | null
  /** The text in the language of the office again, as far as it differs. */
  readonly back: string | undefined
}

/** A text that a user will read in this language. `begun`: the text with which it begins. */
export function useReply(locale: Locale | null, begun = ''): Reply {
  const translates = useTranslates()
  const [text, change] = useState(begun)
  const language = translates && locale && locale !== textLocale ? locale : undefined
  const put = useMutation({
    mutationFn: async (given: string) => {
      if (language === undefined) return
      const made = (await translate([given], language)).get(given)
      // A text that was changed meanwhile is the newer wish.
      if (made !== undefined) change((now) => (now === given ? made : now))
    },
  })
  const settled = useSettled(text, PAUSE_MS)
  const back = useQuery({
    queryKey: ['back', textLocale, settled],
    queryFn: async () => (await translate([settled], textLocale)).get(settled) ?? null,
    enabled: language !== undefined && settled.trim() !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  const propose = (given: string) => {
    change(given)
    if (given.trim() !== '') put.mutate(given)
  }
  return {
    text,
    change,
    propose,
    language,
    isTranslating: language !== undefined && put.isPending,
    error: put.error ?? back.error,
    back: settled === text && back.data !== settled ? (back.data ?? undefined) : undefined,
  }
}

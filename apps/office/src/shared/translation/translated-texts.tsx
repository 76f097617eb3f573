import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useState, type ReactNode } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { errorSentence } from '../api.ts'
import { useKeys } from '../keys/use-keys.ts'
import { useTranslates } from '../session.tsx'
import { locale, t } from '../texts.ts'
import { translate } from './translate.ts'

const TranslationsContext = createContext<ReadonlyMap<string, string> | undefined>(undefined)

/** Around a case: a switch that shows the translation of its texts below the originals. */
export function TranslatedTexts({
  texts,
  children,
}: {
  texts: readonly string[]
  children: ReactNode
}) {
  const isOffered = useTranslates() && texts.some((text) => text !== '')
  const [isOn, setOn] = useState(false)
  const toggle = () => setOn(!isOn)
  const { data, error, isFetching } = useQuery({
    queryKey: ['translations', locale, texts],
    queryFn: () => translate(texts, locale),
    enabled: isOn,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useKeys({ t: isOffered ? toggle : undefined })
  return (
    <TranslationsContext value={isOn ? data : undefined}>
      {isOffered && (
        <Button
          className="self-start"
          size={30}
          variant="outline"
          aria-pressed={isOn}
          busy={isFetching}
          onClick={toggle}
        >
          {t('office.translate')} <KeyCap>T</KeyCap>
        </Button>
      )}
      {isOn && error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {children}
    </TranslationsContext>
  )
}

/** A text of a user, with its translation below where it was asked for. */
export function UserText({ children: text }: { children: string }) {
  const translation = useContext(TranslationsContext)?.get(text)
  return (
    <>
      <bdi>{text}</bdi>
      {translation !== undefined && translation !== text && (
        <span className="block text-text-2">
          <bdi>{translation}</bdi>
        </span>
      )}
    </>
  )
}

import { useEffect, useState } from 'react'
import { Tag } from '@duet/ui'
import { useAppServices } from '../../../shared/app-services.tsx'
import { usePassed } from '../../../shared/controls/use-time.ts'
import { currentLocale, t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { formatLanguageName } from '../../../shared/texts/person.ts'
import { getTranslations } from '../../../shared/texts/translation/translations.ts'
import { showToastInCall } from '../../../shared/toasts.ts'
import { changeCallChoices, useCallChoices } from '../../../shared/video/call-choices.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCallEngine, useEngineSnapshot } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { openTranslator } from './browser-speech.ts'
import { followSpeech } from './follow-speech.ts'

const SHOWN_FOR_MS = 8_000

interface Caption {
  readonly text: string
  readonly is_whole: boolean
  readonly heard_at_ms: number
}

/** What the partner says, written on this device. Off by default. */
export function Captions({ call }: { call: RunningCall }) {
  const { captions } = useCallChoices()
  return captions ? <Written locale={call.session.user_interlocutor.locale} /> : null
}

function Written({ locale }: { locale: string }) {
  const caption = useCaption(locale)
  const translated = useTranslated(caption, locale)
  const isOld = usePassed(caption?.heard_at_ms ?? 0, SHOWN_FOR_MS)
  if (!caption || isOld) return null
  return (
    <p
      dir="auto"
      lang={translated === undefined ? locale : currentLocale()}
      className={`bubble-type flex max-w-[min(640px,100%)] flex-wrap items-center gap-x-3 gap-y-1 rounded-bubble px-4 py-2.5 wrap-anywhere text-text ${ON_PICTURE}`}
    >
      <Tag tone="plain">{t('video.captions.automatic')}</Tag>
      {translated ?? caption.text}
    </p>
  )
}

function useCaption(locale: string): Caption | undefined {
  const engine = useCallEngine()
  // A new connection has a new track. The state of the engine changes with it.
  useEngineSnapshot()
  const [track] = engine.remote_stream.getAudioTracks()
  const [caption, setCaption] = useState<Caption>()
  useEffect(() => {
    if (!track) return
    return followSpeech(track, locale, {
      onText: (text, is_whole) => setCaption({ text, is_whole, heard_at_ms: Date.now() }),
      onUnavailable() {
        changeCallChoices({ captions: false })
        showToastInCall({
          title: t('video.captions.unavailable', { language: formatLanguageName(locale) }),
        })
      },
    })
  }, [track, locale])
  return caption
}

/** A whole caption in the language of the page, while the call shows texts translated. */
function useTranslated(caption: Caption | undefined, locale: string): string | undefined {
  const isOn = useStore(getTranslations(useAppServices().connection).in_calls)
  const [translated, setTranslated] = useState<{ readonly from: string; readonly text: string }>()
  const wanted = isOn && caption?.is_whole ? caption.text : undefined
  useEffect(() => {
    if (wanted === undefined) return
    let isWanted = true
    void translateHere(wanted, locale).then(
      (text) => isWanted && text !== undefined && setTranslated({ from: wanted, text }),
    )
    return () => {
      isWanted = false
    }
  }, [wanted, locale])
  return translated && translated.from === wanted ? translated.text : undefined
}

async function translateHere(text: string, from: string): Promise<string | undefined> {
  const translator = await openTranslator(from, currentLocale())
  return translator?.translate(text).finally(() => translator.destroy())
}

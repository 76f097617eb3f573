import { useEffect, useState } from 'react'
import { cx, Spinner, Tag } from '@duet/ui'
import { useAppServices } from '../../../shared/app-services.tsx'
import { usePassed } from '../../../shared/controls/use-time.ts'
import { currentLocale, t } from '../../../shared/i18n.ts'
import { useStore } from '../../../shared/observable-store.ts'
import { formatLanguageName } from '../../../shared/texts/person.ts'
import { getTranslations } from '../../../shared/texts/translation/translations.ts'
import { showToastInCall } from '../../../shared/toasts.ts'
import { useCallChoices } from '../../../shared/video/call-choices.ts'
import { ON_PICTURE } from '../../../shared/video/on-picture.ts'
import { useCallEngine, useEngineSnapshot } from '../call-context.tsx'
import type { RunningCall } from '../calls-state.ts'
import { followSpeech } from './follow-speech.ts'
import { useTranslated } from './use-translated.ts'

const SHOWN_FOR_MS = 8_000

interface Caption {
  readonly text: string
  readonly is_whole: boolean
  readonly heard_at_ms: number
}

/** The words of the partner, written on this device. Off by default. */
export function Captions({ call }: { call: RunningCall }) {
  const { captions } = useCallChoices()
  return captions ? <Written locale={call.session.user_interlocutor.locale} /> : null
}

function Written({ locale }: { locale: string }) {
  const { caption, is_fetching } = useCaption(locale)
  const isTranslating = useStore(getTranslations(useAppServices().connection).in_calls)
  const whole = caption?.is_whole ? caption.text : undefined
  const { translated, fetched } = useTranslated(whole, locale, isTranslating)
  const isOld = usePassed(caption?.heard_at_ms ?? 0, SHOWN_FOR_MS)
  return (
    <>
      {is_fetching || fetched !== undefined ? <Fetching locale={locale} part={fetched} /> : null}
      {caption && !isOld ? (
        <p
          dir="auto"
          lang={translated === undefined ? locale : currentLocale()}
          className={cx(LINE, 'wrap-anywhere')}
        >
          <Tag tone="plain">{t('video.captions.automatic')}</Tag>
          {translated ?? caption.text}
        </p>
      ) : null}
    </>
  )
}

const LINE = `bubble-type flex max-w-[min(640px,100%)] flex-wrap items-center gap-x-3 gap-y-1 rounded-bubble px-4 py-2.5 text-text ${ON_PICTURE}`

/** The browser fetches the data of a language, which may take minutes the first time. */
function Fetching({ locale, part }: { locale: string; part: number | undefined }) {
  const language = formatLanguageName(locale)
  return (
    <p role="status" className={LINE}>
      <Spinner size={14} />
      {part === undefined
        ? t('video.captions.fetching', { language })
        : t('video.captions.fetching_translation', { language, percent: Math.floor(part * 100) })}
    </p>
  )
}

/** Languages that this browser cannot write, of which the user was told. */
const told = new Set<string>()

function useCaption(locale: string): { caption: Caption | undefined; is_fetching: boolean } {
  const engine = useCallEngine()
  // A new connection has a new track. The state of the engine changes with it.
  useEngineSnapshot()
  const [track] = engine.remote_stream.getAudioTracks()
  const [caption, setCaption] = useState<Caption>()
  const [isFetching, setFetching] = useState(false)
  useEffect(() => {
    if (!track) return
    const stop = followSpeech(track, locale, {
      onText: (text, isWhole) => setCaption({ text, is_whole: isWhole, heard_at_ms: Date.now() }),
      onFetch: () => setFetching(true),
      onStart: () => setFetching(false),
      // The choice stays: the next partner may speak another language.
      onUnavailable() {
        setFetching(false)
        if (told.has(locale)) return
        told.add(locale)
        showToastInCall({
          title: t('video.captions.unavailable', { language: formatLanguageName(locale) }),
        })
      },
    })
    return () => {
      stop()
      setFetching(false)
    }
  }, [track, locale])
  return { caption, is_fetching: isFetching }
}

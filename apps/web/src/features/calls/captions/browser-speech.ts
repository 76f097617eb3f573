type Availability = 'available' | 'downloadable' | 'downloading' | 'unavailable'

interface LanguagePack {
  readonly langs: readonly string[]
  readonly processLocally: true
}

/** The browser's speech recognition, as far as captions use it. TypeScript does not know it. */
export interface SpeechRecognizer extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  processLocally: boolean
  start(track: MediaStreamTrack): void
  abort(): void
}

interface SpeechRecognizerClass {
  new (): SpeechRecognizer
  /** Only a browser with recognition on the device has these. Such a browser listens to a track, not to the microphone. */
  available?(pack: LanguagePack): Promise<Availability>
  install?(pack: LanguagePack): Promise<boolean>
}

export interface BrowserTranslator {
  translate(text: string): Promise<string>
  destroy(): void
}

interface BrowserTranslatorClass {
  create(options: {
    readonly sourceLanguage: string
    readonly targetLanguage: string
    /** Its events tell how much of the languages' data has been fetched. */
    readonly monitor: (progress: EventTarget) => void
  }): Promise<BrowserTranslator>
}

interface BrowserSpeech {
  readonly SpeechRecognition?: SpeechRecognizerClass
  readonly Translator?: BrowserTranslatorClass
}

const browser = () => globalThis as BrowserSpeech

/** Whether the browser writes what it hears without sending the sound anywhere. */
export const canCaption = () => browser().SpeechRecognition?.available !== undefined

/**
 * The recognizer of a language. `undefined`: the browser has none. `onFetch` runs when the browser must fetch the data of
 * the language first.
 */
export async function openRecognizer(
  language: string,
  onFetch: () => void,
): Promise<SpeechRecognizer | undefined> {
  const { SpeechRecognition } = browser()
  const lang = toRegional(language)
  const pack = { langs: [lang], processLocally: true } as const
  const state = (await SpeechRecognition?.available?.(pack)) ?? 'unavailable'
  if (!SpeechRecognition || state === 'unavailable') return undefined
  if (state !== 'available') {
    onFetch()
    if (!(await SpeechRecognition.install?.(pack))) return undefined
  }
  return Object.assign(new SpeechRecognition(), {
    lang,
    continuous: true,
    interimResults: true,
    processLocally: true,
  })
}

/**
 * Translates on this device. `undefined`: the browser cannot, or not between these languages. `onFetch` receives the
 * fetched part of the data, from 0 to 1, if the browser must fetch it first.
 */
export async function openTranslator(
  sourceLanguage: string,
  targetLanguage: string,
  onFetch: (part: number) => void,
): Promise<BrowserTranslator | undefined> {
  if (sourceLanguage === targetLanguage) return undefined
  const monitor = (progress: EventTarget) =>
    progress.addEventListener('downloadprogress', (event) =>
      onFetch((event as ProgressEvent).loaded),
    )
  return browser()
    .Translator?.create({ sourceLanguage, targetLanguage, monitor })
    .catch(() => undefined)
}

/** Recognizers are named with a region: "pt" is "pt-BR", the region with the most speakers. */
function toRegional(language: string): string {
  const { language: base, region } = new Intl.Locale(language).maximize()
  return `${base}-${region}`
}

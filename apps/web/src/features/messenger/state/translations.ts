import { NoAnswerError, RefusedError, type Persistence } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { currentLocale } from '../../../shared/i18n.ts'
import { createStore, type Store } from '../../../shared/observable-store.ts'
import type { MessengerRuntime } from './runtime-parts.ts'

/** A translation into the language of the page. `from` is the language of the original, where it was recognised. */
export type TranslatedText =
  | { readonly status: 'loading' | 'failed' }
  | {
      readonly status: 'ready'
      readonly locale: string
      readonly text: string
      readonly from: string | undefined
    }

export interface TranslationsState {
  readonly own_id: number
  /** The dialogs whose messages are shown translated. */
  readonly dialogs: ReadonlySet<number>
  /** By id of the message; of the language in which the page was when they were asked for. */
  readonly texts: ReadonlyMap<number, TranslatedText>
}

const DIALOGS_MAX = 200
const TEXTS_MAX = 500
/** The rows of a screen ask at once: more wait here, so that they do not use up the rate of the user. */
const AT_ONCE = 3
/** The rate is of a minute; what is refused for longer is a used-up day. */
const PAUSE_MAX_S = 90
const TRIES_MAX = 3

type Translating = Pick<MessengerRuntime, 'translations' | 'setTranslated' | 'translate'>

/** Translated messages of this page, and the dialogs that the user wants translated, which outlive it. */
export function createTranslating({ connection, persistence }: AppServices): Translating {
  const state = createStore(stateOf(persistence, connection.getSnapshot().auth?.user.id))
  connection.on('identity', (auth) => state.set(stateOf(persistence, auth?.user.id)))
  connection.on('logout', () => state.set(stateOf(persistence, undefined)))
  return {
    translations: state,
    setTranslated: (dialog_id, on) => setDialog(persistence, state, dialog_id, on),
    translate: createFetching(connection, state),
  }
}

function stateOf(persistence: Persistence, ownId = 0): TranslationsState {
  const stored = (persistence.get('translated_dialogs') ?? []).filter(
    ({ user_id }) => user_id === ownId,
  )
  return {
    own_id: ownId,
    dialogs: new Set(stored.map(({ dialog_id }) => dialog_id)),
    texts: new Map(),
  }
}

function setDialog(
  persistence: Persistence,
  { getSnapshot, update }: Store<TranslationsState>,
  dialog_id: number,
  on: boolean,
): void {
  const { own_id: user_id } = getSnapshot()
  const others = (persistence.get('translated_dialogs') ?? []).filter(
    (one) => one.user_id !== user_id || one.dialog_id !== dialog_id,
  )
  const kept = on ? [...others, { user_id, dialog_id }].slice(-DIALOGS_MAX) : others
  persistence.set('translated_dialogs', kept.length > 0 ? kept : undefined)
  update((current) => {
    const dialogs = new Set(current.dialogs)
    if (on) dialogs.add(dialog_id)
    else dialogs.delete(dialog_id)
    return { ...current, dialogs }
  })
}

/** Fetches the translation of a message unless it is known or on its way. Returns what takes it off the queue. */
function createFetching(
  connection: AppServices['connection'],
  state: Store<TranslationsState>,
): (message_id: number) => () => void {
  const waiting: number[] = []
  let running = 0

  async function fetchText(message_id: number, tries = 1): Promise<TranslatedText> {
    const locale = currentLocale()
    try {
      const answer = await connection.act('TRANSLATE', { message_id, locale })
      return { status: 'ready', locale, text: answer.translate_message, from: answer.from }
    } catch (error) {
      if (error instanceof NoAnswerError) await connection.ready()
      const pauseMs = error instanceof NoAnswerError ? 0 : pauseAfter(error)
      // For every other reason the row shows the original and offers to try again.
      if (pauseMs === undefined || tries === TRIES_MAX) return { status: 'failed' }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return fetchText(message_id, tries + 1)
    }
  }

  function fetchWaiting(): void {
    while (running < AT_ONCE && waiting.length > 0) {
      // The newest first: it is on the screen.
      const message_id = waiting.pop()!
      const { own_id } = state.getSnapshot()
      running += 1
      void fetchText(message_id).then((text) => {
        running -= 1
        // Another user may have logged in meanwhile.
        if (state.getSnapshot().own_id === own_id) setText(state, message_id, text)
        fetchWaiting()
      })
    }
  }

  return (message_id) => {
    const known = state.getSnapshot().texts.get(message_id)
    if (known?.status === 'ready' && known.locale === currentLocale()) return () => {}
    if (known?.status !== 'loading') {
      setText(state, message_id, { status: 'loading' })
      waiting.push(message_id)
      fetchWaiting()
    }
    return () => {
      const place = waiting.indexOf(message_id)
      if (place < 0) return
      waiting.splice(place, 1)
      setText(state, message_id, undefined)
    }
  }
}

/** How long to wait after too many requests, in milliseconds; undefined: waiting does not help soon. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof RefusedError) || error.refusal !== 'too_many') return undefined
  const seconds = Number(error.additional.retry_after ?? 0)
  return seconds > 0 && seconds <= PAUSE_MAX_S ? seconds * 1000 : undefined
}

function setText(
  { update }: Store<TranslationsState>,
  message_id: number,
  text: TranslatedText | undefined,
): void {
  update((current) => {
    const texts = new Map(current.texts)
    if (text) texts.set(message_id, text)
    else texts.delete(message_id)
    const [oldest] = texts.keys()
    if (texts.size > TEXTS_MAX && oldest !== undefined) texts.delete(oldest)
    return { ...current, texts }
  })
}

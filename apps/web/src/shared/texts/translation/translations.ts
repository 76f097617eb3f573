import { NoAnswerError, RefusedError } from '@duet/client'
import type { AppServices } from '../../app-services.tsx'
import { currentLocale } from '../../i18n.ts'
import { createAccountStore } from '../../account/account-store.ts'
import type { Store } from '../../observable-store.ts'

/** A translation into the language of the page. `from` is the language of the original, where it was recognised. */
export type TranslatedText =
  | { readonly status: 'loading' | 'failed' }
  | {
      readonly status: 'ready'
      readonly locale: string
      readonly text: string
      readonly from: string | undefined
    }

/** A message of the messenger, or a text of a call. */
export interface Translatable {
  readonly kind: 'message_id' | 'text_id'
  readonly id: number
}

/** Texts by `getKey`, in the language that the page had at the request. */
type Texts = ReadonlyMap<string, TranslatedText>

export interface Translations {
  readonly texts: Store<Texts>
  /** Whether calls show translated texts, in this call and the next calls of the page. */
  readonly in_calls: Store<boolean>
  /** Fetches a translation unless it is known or on its way. Returns the function that removes it from the queue. */
  readonly translate: (asked: Translatable) => () => void
}

const TEXTS_MAX = 500
/** The rows of a screen ask at once: more wait here, so that they do not use up the rate of the user. */
const AT_ONCE = 3
/** The rate counts per minute. A longer refusal means that the day's amount is used up. */
const PAUSE_MAX_S = 90
const TRIES_MAX = 3

const known = new WeakMap<AppServices['connection'], Translations>()

/**
 * The translated texts of this page. The messenger and calls share a store, because they share the rate of the user.
 */
export function getTranslations(connection: AppServices['connection']): Translations {
  const made = known.get(connection) ?? createTranslations(connection)
  known.set(connection, made)
  return made
}

function createTranslations(connection: AppServices['connection']): Translations {
  const texts = createAccountStore<Texts>(new Map())
  const inCalls = createAccountStore(false)
  return { texts, in_calls: inCalls, translate: createFetching(connection, texts) }
}

export function getKey({ kind, id }: Translatable): string {
  return `${kind} ${id}`
}

function createFetching(
  connection: AppServices['connection'],
  texts: Store<Texts>,
): Translations['translate'] {
  const waiting: Translatable[] = []
  let running = 0
  const ownId = () => connection.getSnapshot().auth?.user.id

  async function fetchText(asked: Translatable, tries = 1): Promise<TranslatedText> {
    const locale = currentLocale()
    try {
      const answer = await connection.act('TRANSLATE', { [asked.kind]: asked.id, locale })
      return { status: 'ready', locale, text: answer.translate_message, from: answer.from }
    } catch (error) {
      if (error instanceof NoAnswerError) await connection.ready()
      const pauseMs = error instanceof NoAnswerError ? 0 : pauseAfter(error)
      // For every other reason the row shows the original and offers to try again.
      if (pauseMs === undefined || tries === TRIES_MAX) return { status: 'failed' }
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return fetchText(asked, tries + 1)
    }
  }

  function fetchWaiting(): void {
    while (running < AT_ONCE && waiting.length > 0) {
      // The newest first: it is on the screen.
      const asked = waiting.pop()!
      const askedBy = ownId()
      running += 1
      void fetchText(asked)
        // The page waits for no connection any more.
        .catch((): TranslatedText => ({ status: 'failed' }))
        .then((text) => {
          running -= 1
          // Another user may have logged in meanwhile.
          if (ownId() === askedBy) setText(texts, getKey(asked), text)
          fetchWaiting()
        })
    }
  }

  return (asked) => {
    const key = getKey(asked)
    const current = texts.getSnapshot().get(key)
    if (current?.status === 'ready' && current.locale === currentLocale()) return () => {}
    if (current?.status !== 'loading') {
      setText(texts, key, { status: 'loading' })
      waiting.push(asked)
      fetchWaiting()
    }
    return () => {
      const place = waiting.findIndex((one) => getKey(one) === key)
      if (place < 0) return
      waiting.splice(place, 1)
      setText(texts, key, undefined)
    }
  }
}

/** The time to wait after too many requests, in milliseconds. Undefined if waiting does not help soon. */
function pauseAfter(error: unknown): number | undefined {
  if (!(error instanceof RefusedError) || error.refusal !== 'too_many') return undefined
  const seconds = Number(error.additional.retry_after ?? 0)
  return seconds > 0 && seconds <= PAUSE_MAX_S ? seconds * 1000 : undefined
}

function setText({ update }: Store<Texts>, key: string, text: TranslatedText | undefined): void {
  update((current) => {
    const next = new Map(current)
    if (text) next.set(key, text)
    else next.delete(key)
    const [oldest] = next.keys()
    if (next.size > TEXTS_MAX && oldest !== undefined) next.delete(oldest)
    return next
  })
}

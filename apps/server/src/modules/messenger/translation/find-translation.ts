import { createHmac } from 'node:crypto'
import type { LocaleName } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Translation, Translator } from '../../../integrations/translation/translation.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { msBetween, productDay, startOfProductDay } from '../../../lib/clock.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import { maskText } from '../../../lib/text-mask.ts'
import { userText } from '../../../lib/texts/user-text.ts'
import { setting } from '../../settings/index.ts'
import * as store from './translation-store.ts'

const KEY_BYTES = 32
/** A place is free again after a few texts. */
const BUSY_RETRY_SECONDS = 3

/** Translations that are being made, by the key of the cache: readers of one text share one request. */
const runningTranslations = perApp(
  'messenger: translations',
  'requests to the translation service that are not answered yet',
  () => ({
    byKey: new Map<string, Promise<Translation | undefined>>(),
    // LibreTranslate works on four texts at once by default.
    places: createSemaphore({
      at_once: 4,
      at_once_owner: 2,
      waiting_max: 40,
      waiting_owner_max: 8,
    }),
  }),
)

/** A user pays with characters of the day, and reads no contacts; staff read the text as it was written. */
type Reader =
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'staff'; readonly id: number }

interface TranslationRequest {
  readonly reader: Reader
  readonly text: string
  readonly to: LocaleName
}

/** The stored translation of a text, or a new one. Undefined where the service makes none. Refuses too_many and method_unavailable. */
export async function findTranslation(
  app: App,
  translator: Translator,
  request: TranslationRequest,
): Promise<Translation | undefined> {
  const place = cachePlace(app, request)
  const cached = await cachedTranslation(app, place)
  if (cached) return cached
  const { byKey, places } = runningTranslations(app)
  const known = byKey.get(place.key)
  // The refusal of one reader, whose characters are used up, is not that of another.
  if (known) return known.catch(() => findTranslation(app, translator, request))
  const running = (async () => {
    const made = await (places.run(
      () => makeTranslation(app, translator, request),
      ownerId(request.reader),
    ) ?? refuse('too_many', { retry_after: BUSY_RETRY_SECONDS }))
    if (made) await cacheTranslation(app, place, made)
    return made
  })().finally(() => byKey.delete(place.key))
  byKey.set(place.key, running)
  return running
}

/** Members of staff have no id of a user: a negative number belongs to no user. */
const ownerId = ({ kind, id }: Reader) => (kind === 'user' ? id : -id)

/** Takes the characters of a user's day, and gives them back for a text that the service did not work on. */
async function makeTranslation(
  app: App,
  translator: Translator,
  { reader, text, to }: TranslationRequest,
): Promise<Translation | undefined> {
  const day = productDay(app.clock.now())
  const use = reader.kind === 'user' && { user_id: reader.id, day, characters: [...text].length }
  if (use) await payFor(app, use)
  const made = await translator.translate({ text, to, user_id: ownerId(reader) })
  // Without a price such a text could be sent again and again, and keep the service from others.
  if (made === 'failed') return undefined
  if (made === undefined || 'retry_after' in made) {
    if (use) await app.transact((tx) => store.returnCharacters(tx, use))
    // A client repeats it after the pause; a text that is refused as unavailable waits for a press.
    if (made) refuse('too_many', { retry_after: made.retry_after })
    return undefined
  }
  const shown = userText(made.text)
  if (shown === undefined) return undefined
  if (reader.kind === 'staff') return { ...made, text: shown }
  // A translation must not spell out what the masking of the original left as words.
  return { ...made, text: maskText(shown, { words: setting(app, 'competitor_words') }).text }
}

async function payFor(app: App, use: store.CharactersUse): Promise<void> {
  await app.transact(async (tx) => {
    const taken = await store.takeCharacters(tx, use, {
      user_max: setting(app, 'translation_characters_a_day'),
      all_max: setting(app, 'all_translation_characters_a_day'),
    })
    const tomorrow = startOfProductDay(use.day.add({ days: 1 }))
    if (taken === 'user_used_up')
      refuse('too_many', { retry_after: Math.ceil(msBetween(tx.now, tomorrow) / 1000) })
    if (taken === 'all_used_up') refuse('method_unavailable')
  })
}

/** Where the translation of one text into one language is stored, and the key that opens it: only the text leads to both. What staff read is stored apart. */
interface CachePlace {
  readonly key: string
  readonly secret: Buffer
}

function cachePlace({ config }: App, { reader, text, to }: TranslationRequest): CachePlace {
  const digest = createHmac('sha512', keyFor(config, 'translations'))
    .update(reader.kind === 'user' ? `${to}\0${text}` : `staff\0${to}\0${text}`)
    .digest()
  return {
    key: digest.subarray(0, KEY_BYTES).toString('base64url'),
    secret: digest.subarray(KEY_BYTES),
  }
}

async function cachedTranslation(
  app: App,
  { key, secret }: CachePlace,
): Promise<Translation | undefined> {
  const sealed = await store.sealedTranslation(app.db, key)
  const opened = sealed && openBytes(secret, sealed, key)
  return opened && (JSON.parse(opened.toString()) as Translation)
}

async function cacheTranslation(
  app: App,
  { key, secret }: CachePlace,
  translation: Translation,
): Promise<void> {
  const sealed = sealBytes(secret, Buffer.from(JSON.stringify(translation)), key)
  await app.transact((tx) => store.insertTranslation(tx, key, sealed))
}

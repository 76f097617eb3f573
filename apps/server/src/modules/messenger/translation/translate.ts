import { createHmac } from 'node:crypto'
import type { Ack, Input, LocaleName } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import type { Translation, Translator } from '../../../integrations/translation/translation.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { msBetween, productDay, startOfProductDay } from '../../../lib/clock.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { refuse } from '../../../lib/refusal.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import { maskText } from '../../../lib/text-mask.ts'
import { userText } from '../../../lib/texts/user-text.ts'
import { textShownTo } from '../../calls/index.ts'
import { setting } from '../../settings/index.ts'
import { messageViews } from '../get-dialogs.ts'
import { findDialog, messageById } from '../queries.ts'
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

/** Translates a message of an own dialog, or a text of an own call. Refuses method_unavailable where no service can. */
export async function translate(
  app: App,
  viewer: Member,
  input: Input<'TRANSLATE'>,
): Promise<Ack<'TRANSLATE'>> {
  const translator = app.translator ?? refuse('method_unavailable')
  const text = (await readableText(app, viewer.id, input)) ?? refuse('not_found')
  if (!/\p{L}/u.test(text)) return { translate_message: text }
  const translation =
    (await findTranslation(app, translator, { user_id: viewer.id, text, to: input.locale })) ??
    refuse('method_unavailable')
  // The message may have disappeared while it was translated.
  if ((await readableText(app, viewer.id, input)) === undefined) refuse('not_found')
  const { text: translate_message, from } = translation
  return { translate_message, ...(from !== undefined && { from }) }
}

/** The text that this user may read under this id now. */
async function readableText(
  app: App,
  user_id: UserId,
  { message_id, text_id }: Input<'TRANSLATE'>,
): Promise<string | undefined> {
  if (text_id !== undefined) return textShownTo(app.db, user_id, text_id)
  const row = await messageById(app.db, message_id!)
  const dialog = row && (await findDialog(app.db, { dialog_id: row.dialog_id, user_id }))
  if (!row || !dialog || row.type !== 'text') return undefined
  const view = { viewerId: user_id, cleanedTo: () => dialog.cleaned_to }
  const [shown] = await messageViews(app, app.db, [row], view)
  return shown?.removed === true ? undefined : shown?.message
}

interface TranslationRequest {
  readonly user_id: UserId
  readonly text: string
  readonly to: LocaleName
}

async function findTranslation(
  app: App,
  translator: Translator,
  request: TranslationRequest,
): Promise<Translation | undefined> {
  const place = cachePlace(app, request.text, request.to)
  const cached = await cachedTranslation(app, place)
  if (cached) return cached
  const { byKey, places } = runningTranslations(app)
  const known = byKey.get(place.key)
  // The refusal of one reader, whose characters are used up, is not that of another.
  if (known) return known.catch(() => findTranslation(app, translator, request))
  const running = (async () => {
    const made = await (places.run(
      () => paidTranslation(app, translator, request),
      request.user_id,
    ) ?? refuse('too_many', { retry_after: BUSY_RETRY_SECONDS }))
    if (made) await cacheTranslation(app, place, made)
    return made
  })().finally(() => byKey.delete(place.key))
  byKey.set(place.key, running)
  return running
}

/** Takes the characters of the day, and gives them back for a text that the service did not work on. */
async function paidTranslation(
  app: App,
  translator: Translator,
  { user_id, text, to }: TranslationRequest,
): Promise<Translation | undefined> {
  const use = { user_id, day: productDay(app.clock.now()), characters: [...text].length }
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
  const made = await translator.translate({ text, to, user_id })
  // Without a price such a text could be sent again and again, and keep the service from others.
  if (made === 'failed') return undefined
  if (made === undefined || 'retry_after' in made) {
    await app.transact((tx) => store.returnCharacters(tx, use))
    // A client repeats it after the pause; a text that is refused as unavailable waits for a press.
    if (made) refuse('too_many', { retry_after: made.retry_after })
    return undefined
  }
  const shown = userText(made.text)
  if (shown === undefined) return undefined
  // A translation must not spell out what the masking of the original left as words.
  return { ...made, text: maskText(shown, { words: setting(app, 'competitor_words') }).text }
}

/** Where the translation of one text into one language is stored, and the key that opens it: only the text leads to both. */
interface CachePlace {
  readonly key: string
  readonly secret: Buffer
}

function cachePlace({ config }: App, text: string, to: LocaleName): CachePlace {
  const digest = createHmac('sha512', keyFor(config, 'translations'))
    .update(`${to}\0${text}`)
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

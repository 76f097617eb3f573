import { productDay, startOfProductDay, wireTime } from '../../lib/clock.ts'
import { toWire, fromDecimal } from '../../lib/money.ts'
import { isLocale, type Answer, type LocaleName, type Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Viewer } from '../../core/viewer.ts'
import { setting } from './setting.ts'

/** The settings that clients read, and the common phrases in the language of the viewer. */
export async function getSettings(
  app: App,
  viewer: Viewer,
  { locale }: Query<'GET getSettings'>,
): Promise<Answer<'GET getSettings'>> {
  const language =
    locale ?? (viewer.kind === 'none' || !isLocale(viewer.locale) ? 'en' : viewer.locale)
  return {
    fast_phrases: phrasesFor(setting(app, 'fast_phrases'), language),
    top_contest_enable: setting(app, 'top_contest_enable'),
    discount_enabled: setting(app, 'discount_enabled'),
    santa_contest_enable: false,
    nsfw_gallery: setting(app, 'nsfw_gallery'),
    prices: {
      public: toWire('diamond', fromDecimal('diamond', setting(app, 'price_public'))),
      private: toWire('diamond', fromDecimal('diamond', setting(app, 'price_private'))),
      message: 1,
    },
    paid_after: setting(app, 'paid_after'),
    free_messages_a_day: setting(app, 'free_messages_a_day'),
    next_day_at: wireTime(startOfProductDay(productDay(app.clock.now()).add({ days: 1 }))),
    message_chars: setting(app, 'message_chars'),
    vanish_after: setting(app, 'vanish_after'),
    premium_days: setting(app, 'premium_days'),
    penalty_refund_coins: setting(app, 'penalty_refund_coins'),
    women_online_start: setting(app, 'women_online_start'),
    number_style: setting(app, 'number_style'),
  }
}

/**
 * The phrases of a language. A language without phrases gets the English phrases and the phrases without a
 * language.
 */
export function phrasesFor(phrases: readonly string[], locale: LocaleName): string[] {
  const own = phrases.flatMap((phrase) =>
    phrase.startsWith(`${locale}:`) ? phrase.slice(locale.length + 1) : [],
  )
  if (own.length > 0) return own
  return phrases.flatMap((phrase) => /^(?:en:)?(?![a-z]{2}:)(.+)$/.exec(phrase)?.[1] ?? [])
}

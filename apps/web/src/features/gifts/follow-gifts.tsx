import type { Payload } from '@duet/protocol'
import type { FeatureContext } from '../../shared/feature.ts'
import { formatAmount } from '../../shared/amounts.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { shownGift } from '../../shared/gifts/shown-gift.ts'
import { playSound } from '../../shared/sound.ts'
import { showToast } from '../../shared/toasts.ts'
import { giftsQuery } from './gift-queries.ts'

/** A gift has arrived: a call shows it at once, every other page says it in a toast. */
export async function followReceived(
  { id, gift_id, nick, reward, session_id }: Payload<'got_gift'>,
  { queries, connection }: FeatureContext,
): Promise<void> {
  void queries.invalidateQueries({ queryKey: ['girl_gifts'] })
  const { gifts } = await queries.ensureQueryData(giftsQuery(connection))
  const gift = gifts.find((one) => one.gift_id === gift_id)
  if (!gift) return
  playSound('gift')
  withTexts(() => {
    const title = t('gift.got', { nick, gift: gift.name })
    const value = formatAmount('coin', reward)
    shownGift.set({ id, image: gift.image, session_id, text: title })
    if (session_id === undefined)
      showToast({
        title,
        text: t('gift.got_reward', { value, count: Number(reward) }),
        icon: <img src={gift.image} alt="" width={40} height={40} />,
      })
  })
}

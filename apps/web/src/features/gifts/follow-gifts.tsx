import type { Answer, Payload } from '@duet/protocol'
import type { FeatureContext } from '../../shared/feature.ts'
import { formatAmount } from '../../shared/amounts.ts'
import { currentLocale, t, withTexts } from '../../shared/i18n.ts'
import { shownGift } from '../../shared/gifts/shown-gift.ts'
import { playSound } from '../../shared/sound.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { showToast } from '../../shared/toasts.ts'
import { giftsQuery } from './gift-queries.ts'

/** A gift has arrived: a call shows it at once, every other page says it in a toast. */
export async function followReceived(
  { id, gift_id, nick, reward, session_id }: Payload<'got_gift'>,
  { queries, connection }: FeatureContext,
): Promise<void> {
  void queries.invalidateQueries({ queryKey: ['girl_gifts'] })
  const find = ({ gifts }: Answer<'GET gifts'>) => gifts.find((one) => one.gift_id === gift_id)
  const known = await queries.ensureQueryData(giftsQuery(connection)).catch(() => ({ gifts: [] }))
  // The operator may have added the gift after the page fetched the list.
  const gift = find(known) ?? find(await connection.http.get('gifts', { lang: currentLocale() }))
  if (!gift) return
  playSound('gift')
  withTexts(() => {
    const title = t('gift.got', { nick, gift: gift.name })
    const value = formatAmount('coin', reward)
    shownGift.set({ id, image: gift.image, session_id, text: title })
    if (session_id === undefined || !callScreenShown.getSnapshot())
      showToast({
        title,
        text: t('gift.got_reward', { value, count: Number(reward) }),
        icon: <img src={gift.image} alt="" width={40} height={40} />,
      })
  })
}

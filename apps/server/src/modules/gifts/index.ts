/**
 * Gifts: guys pay minutes for a gift, and the girl who receives it earns coins.
 *
 * Tables         gifts (on sale), given_gifts, gift_totals
 * Does not know  who may not accept gifts (moderation), how minutes are bought, how coins are paid out
 * Invariants     a gift is paid and earned in one transaction, once for its random_id (GF1) · the totals of a user
 *                equal the sums of the user's rows (GF2)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import { commands } from './commands.ts'
import { giveGift } from './give-gift.ts'
import { giftList, giftsOfCall, giftsOnSale } from './queries.ts'

const BOOKS = 'the books refer to it, and the other user has the gift too; it holds ids and amounts'

export const gifts = module('gifts', {
  actions: { GIVE_GIFT: giveGift } satisfies ActionsOf<'gifts'>,
  endpoints: {
    'GET gifts': giftsOnSale,
    'GET girl_gifts': giftList,
  } satisfies EndpointsOf<'gifts'>,
  commands,
  callFigures: giftsOfCall,
  personalData: {
    tables: [
      impersonalTable('gifts', 'the gifts on sale'),
      personalTable('given_gifts', {
        users: ['giver_id', 'girl_id'],
        erasure: 'kept',
        why: BOOKS,
        exported: {
          of: ['giver_id', 'girl_id'],
          by: 'id',
          columns: ['gift_id', 'price', 'reward', 'at'],
        },
      }),
      personalTable('gift_totals', {
        users: ['user_id'],
        erasure: 'kept',
        why: BOOKS,
        exported: { not: 'sums of the gifts' },
      }),
    ],
  },
})

export { giftsInCall, givenGift } from './for-staff.ts'

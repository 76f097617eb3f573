import type { UserId } from '@duet/server/core/ids.ts'
import { forgetUser } from '@duet/server/modules/identity/index.ts'
import type { TestApp } from '../test-app.ts'
import type { TestUser } from '../test-user.ts'

/** As the registration writes it. */
export async function invite(
  { app }: TestApp,
  inviter: TestUser,
  invited: TestUser,
): Promise<void> {
  await app.db
    .updateTable('users')
    .set({ referred_by: inviter.id })
    .where('id', '=', invited.id)
    .execute()
  forgetUser(app, invited.id)
}

let orders = 0

/** The facts of a purchase of 15 minutes, as the shop publishes them. */
export async function buy(
  testApp: TestApp,
  user_id: UserId,
  instrument: string | null = null,
  cents = 1499n,
) {
  orders += 1
  return testApp.app.transact(async (tx) => {
    const { order_id } = await tx
      .insertInto('orders')
      .values({
        reference: `D-TEST-${orders}`,
        user_id,
        place: 'billing',
        method: 'verotel',
        pack: 'minutes',
        value: 15,
        bonus: 5,
        price: cents,
        currency: 'USD',
        price_usd: cents,
        state: 'paid',
        instrument,
        created_at: tx.now,
        expires_at: tx.now,
        paid_at: tx.now,
        changed_at: tx.now,
      })
      .returning('order_id')
      .executeTakeFirstOrThrow()
    await tx.publish('purchase_paid', {
      order_id,
      user_id,
      pack: 'minutes',
      value: 15,
      price_usd: cents,
      method: 'verotel',
      instrument,
    })
    return order_id
  })
}

/** Publishes as the shop does when a part of a purchase is returned, with all that was returned of it by now. */
export async function giveBack(
  testApp: TestApp,
  user_id: UserId,
  order_id: number,
  usd = 1499n,
  price_usd = 1499n,
) {
  await testApp.app.transact((tx) =>
    tx.publish('purchase_returned', {
      order_id,
      user_id,
      kind: 'refunded',
      price_usd,
      returned_usd: usd,
    }),
  )
}

import { deepEqual } from 'node:assert/strict'
import { story, together } from '@duet/testkit/test-app.ts'

const added = (favourite_id: number, user_id: number) => ({ favourite_id, user_id })

story(
  'concurrent notifications to the same two users cause no deadlock and leave no gap in the numbers',
  async ({ testApp, boris, anna }) => {
    const { change_id } = await boris.auth()
    await together(60, (at) =>
      testApp.app.transact(async (tx) => {
        const [one, other] = at % 2 === 0 ? [boris, anna] : [anna, boris]
        await tx.notify(one.id, 'add_favourite_success', added(at + 1, other.id))
        await tx.notify(other.id, 'add_favourite_success', added(at + 1, one.id))
      }),
    )
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    deepEqual(
      changes.map((change) => change.change_id),
      Array.from({ length: 60 }, (_, at) => change_id + 1 + at),
    )
  },
)

story(
  'the notifications of one transaction to one user keep their order',
  async ({ testApp, boris, anna }) => {
    const { change_id } = await boris.auth()
    await testApp.app.transact(async (tx) => {
      for (const id of [3, 1, 2]) {
        await tx.notify(boris.id, 'add_favourite_success', added(id, anna.id))
        await tx.notify(anna.id, 'add_favourite_success', added(id, boris.id))
      }
    })
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    deepEqual(
      changes.map(({ payload }) => (payload as { favourite_id: number }).favourite_id),
      [3, 1, 2],
    )
  },
)

import { deepEqual, equal } from 'node:assert/strict'
import { story } from '@duet/testkit/test-app.ts'
import { interlocutors } from './modules/identity/index.ts'

story.with({ pool_max: 1 })(
  'hooks read inside the transaction they are given, so a pool of one connection is enough',
  async ({ testApp, boris, anna, vera }) => {
    const { app } = testApp
    await anna.act('BLOCK_USER', { user_id: boris.id })
    const [people, own, refill] = await app.transact(async (tx) => [
      await interlocutors(app, tx, boris.id, [anna.id, vera.id]),
      await app.hooks.ownFields(tx, anna.id),
      await app.hooks.renderChanges(tx, boris.id, 'refill_balance', [
        { last_interlocutor: { id: vera.id } },
      ]),
    ])
    deepEqual(
      people.map(({ nick, status, avatar }) => [nick, status, avatar !== null]),
      [
        ['Anna', 'offline', true],
        ['Vera', 'online', true],
      ],
    )
    equal(own.balance, '0')
    equal((refill[0] as { last_interlocutor: { nick: string } }).last_interlocutor.nick, 'Vera')
  },
)

story(
  'the public fields of a list cost the same number of queries for one person as for many',
  async ({ testApp, boris, anna, vera, clara, nina }) => {
    const { pool } = testApp.database
    const fetchQueries = async (ids: readonly number[]) => {
      let queries = 0
      const count = () => void (queries += 1)
      pool.on('acquire', count)
      await interlocutors(testApp.app, testApp.app.db, boris.id, ids)
      pool.off('acquire', count)
      return queries
    }
    // The first read fills the cache of the viewer's own row.
    await fetchQueries([anna.id])
    const one = await fetchQueries([anna.id])
    equal(await fetchQueries([anna.id, vera.id, clara.id, nina.id]), one)
  },
)

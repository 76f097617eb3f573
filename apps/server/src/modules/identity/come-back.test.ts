import { equal } from 'node:assert/strict'
import { story } from '../../../test/stage.ts'
import { endLogins, openLogin } from './store.ts'

/** Far enough that the ending falls before, between and after everything that AUTH reads. */
const turns_max = 24

story(
  'a login that ends while its page comes back leaves no line, in whatever turn it ends',
  async ({ stage, boris }) => {
    const { app } = stage
    for (let turns = 0; turns < turns_max; turns += 1) {
      const { token } = await app.transact((tx) => openLogin(tx, boris.id))
      const page = await stage.actor(`the page of turn ${turns}`, token).connect()
      const coming = page.auth().catch(() => undefined)
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      await app.transact(async (tx) => {
        await endLogins(tx, boris.id, 'all')
        tx.after(() => app.realtime.endLogin({ user_id: boris.id }))
      })
      await coming
      await stage.settle()
      equal(app.realtime.line(boris.id), undefined, `ended ${turns} turns after it was sent`)
      page.wire!.close()
    }
  },
)

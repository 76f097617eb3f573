import { deepEqual, equal, rejects } from 'node:assert/strict'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import type { App } from '../../core/app.ts'
import { type Module, module } from '../../core/module.ts'
import { refuse } from '../../lib/refusal.ts'
import { modules } from '../../modules.ts'
import { ledger } from '../../modules/ledger/index.ts'
import { claimKey, storeAnswer } from './answer-store.ts'

let runs = 0
let refusal: 'not_found' | undefined
let isStoring = true

/** The ledger with an endpoint that moves money; each run of it is counted. */
const paying: Module = {
  ...ledger,
  endpoints: module('ledger', {
    endpoints: {
      'POST demo/minutes': (app, _viewer, _input, context) =>
        app.transact(async (tx) => {
          if (refusal) refuse(refusal)
          runs += 1
          const answer = { balance: String(runs) }
          if (isStoring) await context.storeAnswer?.(tx, answer)
          return answer
        }),
    },
  }).endpoints,
}
const paid = story.with({ modules: modules.map((one) => (one === ledger ? paying : one)) })

function pay(user: TestUser, key: string, body: object = {}): Promise<unknown> {
  return user.post('demo/minutes', body, { 'idempotency-key': key })
}

function rows(app: App) {
  return app.db.selectFrom('idempotent_answers').select('key').execute()
}

paid('the same key and body run once and get the first answer, also at once', async ({ boris }) => {
  const before = runs
  const answers = await together(10, () => pay(boris, 'order 1'))
  answers.push(await pay(boris, 'order 1'))
  equal(runs, before + 1)
  deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
})

paid('a key is its user’s own, and another key runs again', async ({ boris, carl }) => {
  const before = runs
  await pay(boris, 'order 1')
  await pay(carl, 'order 1')
  await pay(boris, 'order 2')
  equal(runs, before + 3)
})

paid('a refusal is not stored: the same key may be tried again', async ({ testApp, boris }) => {
  refusal = 'not_found'
  await boris.isRefused('not_found', () => pay(boris, 'order 1'))
  refusal = undefined
  deepEqual(await rows(testApp.app), [])
  const before = runs
  await pay(boris, 'order 1')
  equal(runs, before + 1)
})

paid('a key that is too long is refused before anything runs', async ({ boris }) => {
  const before = runs
  await boris.isRefused('invalid', () =>
    pay(boris, 'x'.repeat(limits.idempotency_key_characters + 1)),
  )
  equal(runs, before)
})

paid('an endpoint that forgets to store its answer fails in its first test', async ({ boris }) => {
  isStoring = false
  await boris.isRefused('internal', () => pay(boris, 'order 1'))
  isStoring = true
})

const request = (user: TestUser, text: string) => ({
  user_id: user.id,
  key: 'order 1',
  hash: Buffer.alloc(32, text),
})

paid(
  'the same key with another request is refused, while it runs and after',
  async ({ testApp, boris }) => {
    const { app } = testApp
    const first = request(boris, 'one')
    const claimed = await claimKey(app, first)
    equal(claimed.type, 'claimed')
    deepEqual(await claimKey(app, request(boris, 'two')), { type: 'reused' })
    if (claimed.type !== 'claimed') return
    await app.transact((tx) => storeAnswer(tx, first, claimed.claim, { balance: '5' }))
    deepEqual(await claimKey(app, request(boris, 'two')), { type: 'reused' })
    deepEqual(await claimKey(app, first), { type: 'answered', answer: { balance: '5' } })
    await boris.isRefused('key_reused', () => pay(boris, 'order 1'))
  },
)

paid(
  'a request that runs in another process is refused, not run twice',
  async ({ testApp, boris }) => {
    await pay(boris, 'order 1')
    const before = runs
    await testApp.app.db.updateTable('idempotent_answers').set({ answer: null }).execute()
    await boris.isRefused('too_many', () => pay(boris, 'order 1'))
    equal(runs, before)
  },
)

paid(
  'the key of a crashed request expires, and its late commit is rolled back',
  async ({ testApp, boris }) => {
    const { app } = testApp
    const crashed = await claimKey(app, request(boris, 'one'))
    deepEqual(await claimKey(app, request(boris, 'one')), { type: 'running' })
    await testApp.leap('31 s')
    const repeat = await claimKey(app, request(boris, 'one'))
    equal(repeat.type, 'claimed')
    if (crashed.type !== 'claimed' || repeat.type !== 'claimed') return
    await rejects(
      app.transact((tx) => storeAnswer(tx, request(boris, 'one'), crashed.claim, {})),
      /holds its key/,
    )
    await app.transact((tx) => storeAnswer(tx, request(boris, 'one'), repeat.claim, {}))
  },
)

paid('answers are deleted after two days', async ({ testApp, boris }) => {
  await pay(boris, 'order 1')
  await testApp.leap('47 h')
  await testApp.app.jobs.run('retention')
  equal((await rows(testApp.app)).length, 1)
  await testApp.leap('2 h')
  await testApp.app.jobs.run('retention')
  deepEqual(await rows(testApp.app), [])
})

import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import { modules } from '../../modules.ts'
import { Refusal, refuse } from '../../lib/refusal.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import { module } from '../../core/module.ts'
import { createPendingWork } from '../pending-work.ts'
import { createDispatcher, type DispatchRequest } from './dispatcher.ts'
import type { Module } from '../../core/module.ts'

/** The product, with favourites that answer as the test needs. */
function withFavourites(answers: (user_id: number) => unknown): { modules: readonly Module[] } {
  const actions = {
    ADD_FAVOURITE: async (_app: unknown, _viewer: unknown, { user_id }: { user_id: number }) =>
      answers(user_id),
  }
  const favourites = module('favourites', { actions: actions as never })
  return { modules: modules.map((one) => (one.name === 'favourites' ? favourites : one)) }
}

const failing = withFavourites((user_id) => {
  if (user_id === 1) refuse('blocked', { who: 'you' })
  if (user_id === 2) refuse('no_balance')
  if (user_id === 3) throw new Error('a secret of the inside')
  if (user_id === 4) return { favourite_id: 'four' }
  if (user_id === 5) return { favourite_id: 5, password_hash: 'secret' }
  if (user_id === 6) throw new Refusal('too_many', { retry_after: 3 })
  return { favourite_id: user_id }
})

story.with(failing)('a refusal that the contract lists becomes its code', async ({ boris }) => {
  deepEqual(await boris.isRefused('blocked', () => boris.act('ADD_FAVOURITE', { user_id: 1 })), {
    who: 'you',
  })
  deepEqual(await boris.isRefused('too_many', () => boris.act('ADD_FAVOURITE', { user_id: 6 })), {
    retry_after: 3,
  })
})

story.with(failing)('any other error becomes one neutral 999 with an id', async ({ boris }) => {
  for (const user_id of [2, 3, 4, 5]) {
    const answer = await boris.tryAct('ADD_FAVOURITE', { user_id })
    ok('error' in answer)
    equal(answer.error.code, 999)
    equal(answer.error.message, 'Internal error')
    deepEqual(Object.keys(answer.error.additional), ['id'])
    match(String(answer.error.additional.id), /^[0-9a-f-]{36}$/)
  }
})

story.with(failing)(
  'the rate of a contract holds for each user separately, and refills',
  async ({ testApp, boris, carl }) => {
    const codes = async (who: typeof boris, times: number) => {
      const answers = await together(times, () => who.tryAct('ADD_FAVOURITE', { user_id: 9 }))
      return answers.filter((answer) => 'error' in answer && answer.error.code === 601).length
    }
    equal(await codes(boris, 35), 5)
    equal(await codes(carl, 10), 0)
    await testApp.advance('2 s')
    equal(await codes(boris, 2), 1)
  },
)

story(
  'a call whose module does not exist yet is 901, for every role and on both transports',
  async ({ testApp, gina, boris }) => {
    const { actions, endpoints } = testApp.running.registry.missing
    for (const user of [gina, boris]) {
      for (const name of actions.slice(0, 8))
        await user.isRefused('unknown_call', () => user.act(name as never, {} as never))
      for (const name of endpoints.filter((one) => one.startsWith('GET ')).slice(0, 8)) {
        const path = name.slice('GET '.length).replaceAll(/\{\w+\}/g, '1')
        await user.isRefused('unknown_call', () => user.get(path))
      }
    }
  },
)

story('the permission is checked again for every action', async ({ testApp, nina }) => {
  const { id } = nina
  await testApp.app.transact(async (tx) => {
    await tx.updateTable('users').set({ erased_at: tx.now }).where('id', '=', id).execute()
    await tx.publish('member_updated', { user_id: id })
  })
  await nina.isRefused('session_invalid', () => nina.act('ADD_FAVOURITE', { user_id: 1 }))
})

story(
  'a guest who exceeds the rate takes nothing from the other guests of the network',
  async ({ testApp }) => {
    const [greedy, modest] = [await testApp.guest(), await testApp.guest()]
    const confirm = (guest: typeof greedy) =>
      guest.post('age/confirm', { confirmed: true, terms: true })
    const attempts = await together(150, () =>
      confirm(greedy).then(
        () => true,
        () => false,
      ),
    )
    equal(attempts.filter(Boolean).length, 10)
    await confirm(modest)
  },
)

story(
  'the networks of one customer have the rate of ten networks, and the next customer has a rate of its own',
  async ({ testApp }) => {
    const dispatch = createDispatcher(testApp.app, { pending: createPendingWork() })
    const isAnswered = async (address: string) => {
      const request: DispatchRequest = {
        kind: 'endpoint',
        name: 'GET faq',
        contract: { who: 'any', rate: '2/min', refuses: [] },
        handler: async () => ({}),
        parse: () => ({ input: {} }),
        answers: undefined,
        viewer: async () => ({ kind: 'none' }),
      }
      const context = { request_id: 'x', address, country: null, region: null, user_agent: '' }
      return (await dispatch(request, context)).ok
    }
    const answered = { site: 0, network: 0 }
    for (let call = 0; call < 3; call += 1)
      if (await isAnswered('2001:db8:1:ffff::1')) answered.network += 1
    for (let network = 0; network < 30; network += 1)
      if (await isAnswered(`2001:db8:1:${network}::1`)) answered.site += 1
    deepEqual(answered, { network: 2, site: 18 })
    equal(await isAnswered('2001:db8:2::1'), true)
  },
)

test('a broken connection to the database is temporary, a wrong statement is not', () => {
  for (const [code, syscall] of Object.entries({
    ECONNRESET: 'read',
    EPIPE: 'write',
    ECONNREFUSED: 'connect',
    '57P03': undefined,
  }))
    equal(isDatabaseUnavailable(Object.assign(new Error(code), { code, syscall })), true, code)
  equal(isDatabaseUnavailable(Object.assign(new Error('syntax'), { code: '42601' })), false)
})

import { deepEqual, equal } from 'node:assert/strict'
import { fetchState } from '@duet/testkit/searching.ts'
import { story } from '@duet/testkit/test-app.ts'
import { module } from '../../../core/module.ts'
import { modules } from '../../../modules.ts'
import { companionSource } from './companion-source.ts'

/** The users that the server plays, instead of the demo. */
const played = new Set<number>()
const demo = module('demo', {
  provides: [companionSource.provide((_app, { user_id }) => played.has(user_id))],
})
const tell = story.with({ modules: [...modules.filter(({ name }) => name !== 'demo'), demo] })

tell(
  'a companion is offered only to a guy who has waited four seconds',
  async ({ testApp, boris, anna }) => {
    played.add(anna.id)
    deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'waiting' })
    deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
    await testApp.advance('3900 ms')
    await boris.notHeard('search_pair')
    await testApp.advance('1100 ms')
    const { pair_id } = await boris.heard('search_pair', {}, { times: 1 })
    for (const one of [boris, anna]) await one.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await boris.heard('new_session')
  },
)

tell(
  'a real girl who searches is offered before a companion who waits longer',
  async ({ testApp, boris, anna, vera }) => {
    played.add(anna.id)
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('20 s')
    await boris.act('MATCH_AWAIT', {})
    await testApp.advance('3 s')
    await vera.act('MATCH_AWAIT', {})
    await vera.heard('search_pair')
    await testApp.advance('5 s')
    await anna.notHeard('search_pair')
  },
)

tell(
  'a companion in an open offer gives way to a real girl, and the guy keeps his waiting time',
  async ({ testApp, boris, anna, vera }) => {
    played.add(anna.id)
    await boris.act('MATCH_AWAIT', {})
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('5 s')
    const { pair_id } = await anna.heard('search_pair')
    await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
    await vera.act('MATCH_AWAIT', {})
    await testApp.advance('1 s')
    await boris.heard('search_pair_closed', { pair_id, reason: 'cancelled' }, { times: 1 })
    await vera.heard('search_pair', {}, { times: 1 })
    deepEqual(await fetchState(anna), { state: 'idle' })
    equal((await fetchState(boris)).state, 'offered')
  },
)

tell(
  'a companion keeps the offer when the guy may not meet the real girl who waits',
  async ({ testApp, boris, anna, vera }) => {
    played.add(anna.id)
    await boris.act('BLOCK_USER', { user_id: vera.id })
    await vera.act('MATCH_AWAIT', {})
    await boris.act('MATCH_AWAIT', {})
    await anna.act('MATCH_AWAIT', {})
    await testApp.advance('8 s')
    await boris.heard('search_pair', {}, { times: 1 })
    await boris.notHeard('search_pair_closed')
  },
)

tell('no visitor is shown a companion', async ({ testApp, gina, anna }) => {
  played.add(anna.id)
  await anna.act('MATCH_AWAIT', {})
  await gina.post('age/confirm', { confirmed: true, terms: true })
  await gina.act('MATCH_AWAIT', {})
  await testApp.advance('20 s')
  await gina.notHeard('search_pair')
})

story(
  'outside of the demo no user is a companion, and a guy who is alone waits on',
  async ({ testApp, boris, anna }) => {
    await boris.act('MATCH_AWAIT', {})
    await testApp.advance('20 s')
    await boris.notHeard('search_pair')
    await anna.act('MATCH_AWAIT', {})
    await boris.heard('search_pair', {}, { times: 1 })
    const { user_interlocutor } = await boris.heard('search_pair')
    equal('is_companion' in user_interlocutor, false)
  },
)

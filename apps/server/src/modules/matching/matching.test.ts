import { deepEqual, equal } from 'node:assert/strict'
import type { Facts } from '../../domain-events.ts'
import type { Actor } from '../../../test/actor.ts'
import { story } from '../../../test/stage.ts'
import { modules } from '../../modules.ts'
import { module, type Module } from '../../platform/module.ts'

/** Stands where calls stand: it hears of accepted pairs and says that their call opened. */
function listening(heard: Facts['pair_accepted'][] = []): Module[] {
  const calls = module('video', {
    hears: {
      async pair_accepted(tx, said) {
        tx.after(() => void heard.push(said))
        const { guy_id, girl_id } = said
        await tx.fact('call_opened', { session_id: 1, guy_id, girl_id, state: 'public', recovered: false })
      },
    },
  })
  return [...modules.filter(({ name }) => name !== 'video'), calls]
}

const tell = story.with({ modules: listening() })

async function offerOf(boris: Actor, anna: Actor) {
  await anna.act('MATCH_AWAIT', {})
  await boris.act('MATCH_AWAIT', {})
  const his: any = await boris.heard('search_pair')
  const hers = await anna.heard('search_pair')
  equal(his.pair_id, hers.pair_id)
  return { pair_id: his.pair_id as string, his, hers }
}

tell('two who search are shown to each other with the price of each', async ({ boris, anna }) => {
  deepEqual(await anna.act('MATCH_AWAIT', {}), { state: 'waiting' })
  await anna.heard('search_state', { state: 'waiting' })
  deepEqual(await boris.act('MATCH_AWAIT', {}), { state: 'offered' })
  const his: any = await boris.heard('search_pair')
  const hers = await anna.heard('search_pair')
  equal(his.pair_id, hers.pair_id)
  equal(his.user_interlocutor.id, anna.id)
  equal(hers.user_interlocutor.id, boris.id)
  deepEqual([his.price, hers.price, his.free_seconds, his.expires_in_ms], ['1', '50', 10, 10_000])
  await anna.heard('search_state', { state: 'offered' })
})

tell('when both accept, the call opens and nobody searches any more', async ({ stage, boris, anna }) => {
  const { pair_id } = await offerOf(boris, anna)
  await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
  await anna.act('SEARCH_PAIR_ACCEPT', { pair_id })
  await stage.settle()
  await boris.heard('search_state', { state: 'idle', reason: 'in_call' }, { times: 1 })
  await anna.heard('search_state', { state: 'idle', reason: 'in_call' }, { times: 1 })
  deepEqual(await boris.isRefused('in_call', () => boris.act('MATCH_AWAIT', {})), { who: 'you' })
})

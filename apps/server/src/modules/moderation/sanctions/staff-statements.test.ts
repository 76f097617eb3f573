import { deepEqual, equal } from 'node:assert/strict'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import type { StaffStatement } from '@duet/protocol'

story(
  'staff list bans and penalties by kind and person, in pages',
  async ({ testApp, boris, anna, vera }) => {
    const manager = await openStaff(testApp, 'manager', 'mara@duet.example')
    const ban = { reason: 'nudity', until: null, comment: 'enough' }
    await manager.post('v2/manager/ban/impose', { user_id: boris.id, ...ban })
    const penalty = { reason: 'contacts', place: 'messenger', amount: '10', comment: 'no numbers' }
    for (const girl of [anna, vera, vera])
      await manager.post(
        'v2/manager/penalty/impose',
        { user_id: girl.id, ...penalty },
        { 'idempotency-key': crypto.randomUUID() },
      )
    const list = async (query: object) =>
      (await manager.get(
        `v2/manager/statements?${new URLSearchParams(query as Record<string, string>)}`,
      )) as unknown as { items: StaffStatement[]; next: boolean }
    const shown = ({ items }: { items: StaffStatement[] }) =>
      items.map(({ user, kind }) => `${user.id} ${kind}`)

    const all = await list({})
    const ofVera = `${vera.id} penalty`
    deepEqual(shown(all), [ofVera, ofVera, `${anna.id} penalty`, `${boris.id} ban`])
    deepEqual(shown(await list({ kind: 'ban' })), [`${boris.id} ban`])
    deepEqual(shown(await list({ user_id: anna.id })), [`${anna.id} penalty`])
    const first = await list({ 'per-page': 3 })
    deepEqual([first.items.length, first.next], [3, true])
    const rest = await list({ 'per-page': 3, before: first.items.at(-1)!.id })
    deepEqual([shown(rest), rest.next], [[`${boris.id} ban`], false])

    const [one] = (await list({ user_id: anna.id })).items
    deepEqual(
      [one!.amount, one!.paid, one!.imposed_by, one!.appeal, one!.ended_at],
      ['10', '0', 'mara@duet.example', null, null],
    )
    equal(one!.place, 'messenger')
    const refund = { coins: one!.refund?.coins, earned: one!.refund?.earned }
    deepEqual(refund, { coins: '20000', earned: '0' })
    // Only a penalty without another one comes back.
    const [ofTwo] = (await list({ user_id: vera.id })).items
    equal(ofTwo!.refund, null)
    await manager.post(`v2/manager/statements/${all.items.at(-1)!.id}/undo`, {
      reason: 'a mistake',
    })
    const [lifted] = (await list({ kind: 'ban' })).items
    equal(lifted!.lifted_by, 'mara@duet.example')
    const finance = await openStaff(testApp, 'finance')
    await finance.isRefused('role_forbidden', () => finance.get('v2/manager/statements'))
  },
)

import { deepEqual, equal } from 'node:assert/strict'
import type { PersonMovement } from '@duet/protocol'
import type { MovementOrigin } from '@duet/protocol/contracts/movement-sources.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'

story(
  'a movement leads to its call, gift or message, without what was written',
  async ({ testApp, boris, anna, carl }) => {
    await testApp.duet('grant', boris.id, 30, 'diamond', '--reason', 'test')
    await testApp.duet('premium', boris.id, '--days', 3)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(90)
    const { gifts } = await boris.get('gifts')
    const { gift_id, name, price } = gifts[0]!
    await boris.act('GIVE_GIFT', {
      gift_id,
      recipient_id: anna.id,
      random_id: crypto.randomUUID(),
      session_id: call.session_id,
    })
    const { message_id } = await writeMessage(
      boris,
      await dialogBetween(boris, anna),
      'A secret word',
    )
    const owner = await openStaff(testApp, 'owner')
    const { items } = (await owner.get(`v2/manager/users/${boris.id}/movements`)) as unknown as {
      items: PersonMovement[]
    }
    const causes = new Map(items.map(({ cause, cause_id }) => [cause, cause_id!]))
    causes.set('message', message_id)
    causes.set('call', call.session_id)
    const source = async <Cause extends MovementOrigin['cause']>(
      user: { id: number },
      cause: Cause,
      cause_id = causes.get(cause),
      staff = owner,
    ) =>
      (await staff.get(
        `v2/manager/users/${user.id}/sources/${cause}/${cause_id}`,
      )) as unknown as Extract<MovementOrigin, { cause: Cause }>
    const shownCall = await source(boris, 'call')
    equal(shownCall.session_id, call.session_id)
    deepEqual(
      shownCall.timeline.map(({ type, gift }) => gift ?? type),
      ['opened', 'connected', name],
    )
    const shownGift = await source(anna, 'gift')
    deepEqual(
      [shownGift.gift, shownGift.price, shownGift.girl.id, shownGift.session_id],
      [name, price, anna.id, call.session_id],
    )
    const shownMessage = await source(boris, 'message')
    equal(shownMessage.partner.id, anna.id)
    equal(JSON.stringify([shownCall, shownGift, shownMessage]).includes('secret'), false)
    for (const cause of ['call', 'gift', 'message'] as const)
      await owner.isRefused('not_found', () => source(carl, cause))
    await owner.isRefused('not_found', () => source(boris, 'gift', 999_999))
    const [look] = (await owner.get('v2/manager/audit', { act: 'user_view' })).items
    deepEqual(look!.facts, { list: 'source', page: 1, cause: 'gift', cause_id: '999999' })
    const finance = await openStaff(testApp, 'finance')
    deepEqual(await source(boris, 'call', undefined, finance), shownCall)
    deepEqual(await source(anna, 'gift', undefined, finance), shownGift)
    await finance.isRefused('role_forbidden', () => source(boris, 'message', undefined, finance))
    for (const role of ['moderator', 'manager'] as const) {
      const staff = await openStaff(testApp, role)
      const withoutAmounts = { ...shownGift, price: null, reward: null }
      deepEqual(await source(anna, 'gift', undefined, staff), withoutAmounts)
      deepEqual(await source(boris, 'message', undefined, staff), shownMessage)
    }
  },
)

import { deepEqual, equal } from 'node:assert/strict'
import { inCall, paidCall } from '@duet/testkit/calls/in-call.ts'
import { story } from '@duet/testkit/test-app.ts'

story(
  'a past call has its receipt, exact to the unit, and the ways to the other user',
  async ({ testApp, boris, anna }) => {
    const call = await paidCall(testApp, { guy: boris, girl: anna, minutes: 5 })
    await call.talk(30)
    const { balance, session_id, ...account } = await boris.act('BREAK_SESSION', {
      session_id: call.session_id,
    })
    const [his] = (await boris.get('history_chats')).items
    deepEqual(
      {
        ...account,
        id: `call-${session_id}`,
        session_id,
        user_id: anna.id,
        state: 'public',
        nick: 'Anna',
        may_call: true,
      },
      {
        ...omit(his!, ['user_interlocutor', 'can_call', 'started_at']),
        nick: his!.user_interlocutor?.nick,
        may_call: his!.can_call?.allowed,
      },
    )
    const [hers] = (await anna.get('history_chats')).items
    deepEqual(
      [hers?.user_interlocutor?.nick, hers?.spent, hers?.paid_seconds, hers?.earned !== undefined],
      ['Boris', undefined, account.paid_seconds, true],
    )
    equal(balance !== undefined, true)
  },
)

story(
  'a call stays in the history without the other user, whichever of the two blocked',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id })
    await anna.act('BLOCK_USER', { user_id: boris.id })
    for (const [user, other] of [
      [boris, anna],
      [anna, boris],
    ] as const) {
      const { items } = await user.get('history_chats')
      deepEqual(
        items.map((item) => [item.session_id, item.user_id, item.user_interlocutor, item.can_call]),
        [[session_id, other.id, null, undefined]],
      )
      // A user who blocks first, or is blocked, still complains about what happened.
      await user.act('TO_COMPLAIN', { reason: 'spam', user_id: other.id, comment: '', session_id })
    }
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    equal((await boris.get('history_chats')).items[0]?.user_interlocutor?.nick, 'Anna')
  },
)

story(
  'the history shows no user who is banned, deleted, or hidden from the country of the viewer',
  async ({ testApp, boris, anna, vera, clara }) => {
    for (const girl of [anna, vera, clara]) {
      const { session_id } = await inCall(testApp, { guy: boris, girl })
      await boris.act('BREAK_SESSION', { session_id })
      boris.forget()
    }
    await testApp.duet('ban', anna.id, '--reason', 'other', '--comment', 'test')
    await vera.post('delete_account', { password: 'vera-secret-1', confirm: true })
    await clara.post('profile', { hide_countries: ['DE'] })
    const { items } = await boris.get('history_chats')
    deepEqual(
      items.map(({ user_id, user_interlocutor }) => [user_id, user_interlocutor]),
      [clara, vera, anna].map(({ id }) => [id, null]),
    )
  },
)

story(
  'a cleared history is empty for its user only, and later calls are in it',
  async ({ testApp, boris, anna }) => {
    const first = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id: first.session_id })
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await testApp.advance('1 s')
    await boris.act('INVITE_TO_CHAT', { user_id: anna.id })
    await testApp.advance('31 s')
    equal((await boris.get('history_chats')).items.length, 2)
    for (let time = 0; time < 2; time += 1) await boris.post('history_chats/clear', {})
    deepEqual((await boris.get('history_chats')).items, [])
    deepEqual(
      (await anna.get('history_chats')).items.map(({ session_id, missed, is_caller }) => [
        session_id,
        missed,
        is_caller,
      ]),
      [
        [null, true, false],
        [first.session_id, undefined, undefined],
      ],
    )
    await testApp.advance('1 min')
    boris.forget()
    anna.forget()
    const second = await inCall(testApp, { guy: boris, girl: anna })
    // A call that runs while its user clears is not a past call, and stays.
    await boris.post('history_chats/clear', {})
    await boris.act('BREAK_SESSION', { session_id: second.session_id })
    deepEqual(
      (await boris.get('history_chats')).items.map(({ session_id }) => session_id),
      [second.session_id],
    )
  },
)

function omit<T extends object, K extends keyof T>(from: T, names: readonly K[]): Omit<T, K> {
  return Object.fromEntries(
    Object.entries(from).filter(([name]) => !names.includes(name as K)),
  ) as Omit<T, K>
}

import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { withoutQuota } from '@duet/testkit/searching.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { closeAccount, setDeletionAsked } from '../logins/index.ts'
import { balances, ledgerCheck } from '../ledger/index.ts'
import { registeredCall } from './call-registry.ts'

const UNITS_A_SECOND = 1000n
const COIN_UNITS = 100_000_000n

async function give(testApp: TestApp, guy: TestUser, minutes: number): Promise<void> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}

async function units(testApp: TestApp, user: TestUser): Promise<bigint> {
  return (await balances(testApp.app.db, user.id)).balance_units
}

story(
  'a call is free, then uses quota, then is paid: the ledger shows every second once',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 10)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await boris.heard('meter', { phase: 'free' })
    await call.talk(100)
    await boris.heard('meter', { phase: 'quota' })
    await boris.heard('meter', { phase: 'paid' })
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    const { seconds, free_seconds, quota_seconds, paid_seconds, spent, balance } = receipt
    deepEqual(
      { seconds, free_seconds, quota_seconds, paid_seconds, spent, balance },
      {
        seconds: 100,
        free_seconds: 10,
        quota_seconds: 60,
        paid_seconds: 30,
        spent: '0.5',
        balance: '9.5',
      },
    )
    const hers = await anna.heard('close_session', { session_id: call.session_id })
    deepEqual([hers.reason, hers.earned, hers.balance], ['left', '25', '25'])
    equal(await units(testApp, boris), 600n * UNITS_A_SECOND - 30n * UNITS_A_SECOND)
    equal(await units(testApp, anna), 25n * COIN_UNITS)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'the balance on the wire runs with the meter, ahead of the ledger',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 2)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(90)
    equal((await boris.post('balance')).balance, '1.6666')
    equal((await anna.post('balance')).balance, '16.66666666')
  },
)

story(
  'the end of the money ends the call at the exact second and offers a refill with the same girl',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 1)
    const call = await inCall(testApp, { guy: boris, girl: anna, free_start: false })
    await call.connect()
    await call.talk(130)
    const receipt = await boris.heard('close_session', { reason: 'no_balance' })
    deepEqual(
      [receipt.quota_seconds, receipt.paid_seconds, receipt.spent, receipt.balance],
      [60, 60, '1', '0'],
    )
    equal((await boris.heard('refill_balance')).last_interlocutor?.id, anna.id)
    equal(await units(testApp, anna), 50n * COIN_UNITS)
    await call.talk(10)
    equal(await units(testApp, anna), 50n * COIN_UNITS)
  },
)

story(
  'without media of both sides no second is paid: after 15 s the call ends as not connected',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    // No free second and no quota: the first second that passed would be paid.
    await withoutQuota(testApp, boris)
    const call = await inCall(testApp, { guy: boris, girl: anna, free_start: false })
    boris.signal('PEER_CONNECTED', { session_id: call.session_id, session_guid: call.session_guid })
    await call.talk(16)
    const receipt = await boris.heard('close_session', { reason: 'not_connected' })
    deepEqual([receipt.seconds, receipt.spent], [0, '0'])
    equal(await units(testApp, boris), 300n * UNITS_A_SECOND)
  },
)

story(
  "the girl's covered camera pauses the meter, the guy's does not",
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(80)
    await testApp.advance('2 s')
    await call.report({ girl: { video: false } })
    await boris.heard('meter', { phase: 'paused', why: 'camera_off' })
    for (let i = 0; i < 4; i += 1) {
      await testApp.advance('2 s')
      await call.report({ girl: { video: false }, guy: { frames: 0 } })
    }
    await call.report()
    await call.talk(10)
    await testApp.advance('2 s')
    await call.report({ guy: { video: false } })
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    equal(receipt.paused.length, 1)
    equal(receipt.paused[0]!.why, 'camera_off')
    equal(
      receipt.seconds,
      receipt.free_seconds +
        receipt.quota_seconds +
        receipt.paid_seconds +
        receipt.paused[0]!.seconds,
    )
  },
)

story(
  'seconds without new frames of the girl are not paid, and contradicting reports are flagged',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(70)
    for (let i = 0; i < 5; i += 1) {
      await testApp.advance('2 s')
      await call.report({ guy: { frames: 0 } })
    }
    await boris.heard('meter', { phase: 'paused', why: 'no_frames' })
    const flags = await testApp.app.db
      .selectFrom('call_flags')
      .select(['user_id', 'about'])
      .execute()
    deepEqual(flags, [{ user_id: boris.id, about: 'contradiction' }])
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    equal(receipt.paid_seconds, 0)
  },
)

story(
  'a lost page may return within ten seconds, and its absence is not charged',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(80)
    await anna.drop()
    await boris.heard('meter', { phase: 'paused', why: 'gone' })
    await testApp.advance('6 s')
    const { active_session } = await anna.comeBack()
    equal(active_session!.id, call.session_id)
    deepEqual(active_session!.own_media, { audio: true, video: true })
    await anna.openSignal()
    anna.signal('JOIN_SESSION', { session_id: call.session_id, session_guid: call.session_guid })
    const peer = await anna.signalHeard('new_peer', { session_guid: call.session_guid })
    equal(peer.session_id, call.session_id)
    await boris.signalHeard('new_peer', {}, { times: 1 })
    await call.report()
    await call.talk(10)
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    ok(receipt.paid_seconds <= 20 && receipt.paid_seconds >= 18, `${receipt.paid_seconds} paid`)
    equal(receipt.paused[0]!.why, 'gone')
  },
)

story(
  'a weak network of one side is shown to the other side, until it has passed',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id, session_guid } = call
    await call.connect()
    await call.report()
    const report = (weak: boolean) => {
      const counts = { frames_decoded: 900, frames_sent: 900, reports_received: 900 }
      const devices = { audio: true, video: true }
      anna.signal('PEER_STATE', { session_id, session_guid, ...counts, ...devices, weak })
    }
    boris.forget()
    for (const weak of [true, true]) report(weak)
    await boris.heard('partner_media', { user_id: anna.id, weak: true }, { times: 1 })
    equal((await boris.comeBack()).active_session?.partner_media?.weak, true)
    boris.forget()
    report(false)
    const { weak } = await boris.heard('partner_media', { user_id: anna.id }, { times: 1 })
    equal(weak, undefined)
    await anna.notHeard('partner_media', { user_id: boris.id, weak: true })
  },
)

story(
  'both learn what the other sends, and go on with sound when both agree',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id } = call
    await call.connect()
    await call.report({ girl: { video: false } })
    const dark = { session_id, user_id: anna.id, audio: true, video: false, data_mode: 'full' }
    deepEqual(await boris.heard('partner_media', { video: false }), dark)
    deepEqual(await boris.act('SOUND_ONLY', { session_id, agree: true }), {
      own: true,
      partner: false,
    })
    await anna.heard('sound_only', { session_id, own: false, partner: true })
    await anna.act('SOUND_ONLY', { session_id, agree: true })
    await boris.heard('sound_only', { session_id, own: true, partner: true })
    for (let i = 0; i < 40; i += 1) {
      await testApp.advance('2 s')
      await call.report({ girl: { video: false } })
    }
    const { active_session } = await anna.comeBack()
    deepEqual(active_session!.sound_only, { own: true, partner: true })
    equal(active_session!.partner_media!.video, true)
    await boris.isRefused('not_found', () =>
      boris.act('SOUND_ONLY', { session_id: session_id + 1, agree: true }),
    )
  },
)

story(
  'a guy gets a hint in a quiet call, once in three minutes, and none while one of the two writes',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 60)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id } = call
    await call.connect()
    await call.talk(80)
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'one', text: 'Hello' })
    await call.talk(50)
    await boris.notHeard('session_hint')
    await call.talk(20)
    deepEqual(await boris.heard('session_hint'), { session_id, kind: 'gift' })
    boris.forget()
    await call.talk(120)
    await boris.notHeard('session_hint')
    await call.talk(70)
    await boris.heard('session_hint')
    await anna.notHeard('session_hint')
  },
)

story(
  'AUTH names the devices that the former page of the user sent from',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.report({ girl: { video: false } })
    const media = async (one: TestUser) => (await one.comeBack()).active_session!.own_media
    deepEqual(await media(anna), { audio: true, video: false })
    deepEqual(await media(boris), { audio: true, video: true })
  },
)

story(
  'a reloaded page joins without the guid, and both start a new connection',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await boris.drop()
    await boris.comeBack()
    await boris.openSignal()
    boris.signal('JOIN_SESSION', { session_id: call.session_id })
    const fresh = await boris.signalHeard('new_peer', { session_id: call.session_id })
    ok(fresh.session_guid !== call.session_guid)
    await anna.signalHeard('new_peer', { session_guid: fresh.session_guid })
  },
)

story(
  'a party that does not return within the grace time ends the call',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(10)
    await anna.close()
    await testApp.advance('11 s')
    await boris.heard('close_session', { session_id: call.session_id, reason: 'partner_lost' })
  },
)

story(
  'signals reach the other party only, are buffered, and are dropped if their guid is outdated',
  async ({ testApp, boris, anna, carl }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id, session_guid } = call
    const offer = {
      session_id,
      session_guid,
      type_signal: 'offer' as const,
      data: { type: 'offer' as const, sdp: 'v=0' },
    }
    boris.signal('WEBRTC_SIGNAL', offer)
    await anna.signalHeard('peer_signal', { type_signal: 'offer' })
    boris.signal('WEBRTC_SIGNAL', { ...offer, session_guid: crypto.randomUUID() })
    await testApp.settle()
    await anna.signalHeard('peer_signal', {}, { times: 1 })
    boris.signal('WEBRTC_SIGNAL', { session_id, session_guid, type_signal: 'reached', data: null })
    await anna.signalHeard('peer_signal', { type_signal: 'reached' }, { times: 1 })
    await carl.openSignal()
    carl.signal('WEBRTC_SIGNAL', offer)
    carl.signal('JOIN_SESSION', { session_id })
    await carl.signalHeard('error_305')
    await anna.signalHeard('peer_signal', {}, { times: 2 })
  },
)

story(
  'a text of a call keeps no character that turns the text around it, and is never blank',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const text = { session_id, id: 'a1', text: '\u202eolleh\u2066 you' }
    equal((await boris.act('TEXT_CHAT_MESSAGE', text)).text, 'olleh you')
    await boris.isRefused('invalid', () =>
      boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a2', text: ' \u202e\u2066 ' }),
    )
  },
)

story(
  'texts are masked and reach both, and the same id is sent once',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const text = { session_id, id: 'a1', text: 'call me on +49 170 123 45 67' }
    const [first] = await together(5, () => boris.act('TEXT_CHAT_MESSAGE', text))
    equal(first!.text, 'call me on ***')
    await anna.heard(
      'text_chat_message',
      { text: 'call me on ***', sender_id: boris.id },
      { times: 1 },
    )
    await boris.heard('text_chat_message', { text: 'call me on ***' }, { times: 1 })
    await anna.tryAct('SESSION_TYPING', { session_id })
    await boris.heard('session_typing', { user_id: anna.id })
  },
)

story(
  'a number that is split over the texts of five minutes is masked where it ends',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const write = async (id: string, text: string) =>
      (await boris.act('TEXT_CHAT_MESSAGE', { session_id, id, text })).text
    equal(await write('a1', 'call 8916'), 'call 8916')
    equal(await write('a2', '123'), '123')
    equal(await write('a3', '4567 ok'), '*** ok')
    equal(
      (await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'b1', text: '4567' })).text,
      '4567',
    )
    equal(await write('a3', '4567 ok'), '*** ok')
  },
)

story(
  'the two halves of a number that are sent at once are masked',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const answers = await Promise.all(
      ['call 8916', '1234567'].map((text, at) =>
        boris.act('TEXT_CHAT_MESSAGE', { session_id, id: `half ${at}`, text }),
      ),
    )
    deepEqual(
      answers.map(({ text }) => text),
      ['call 8916', '***'],
    )
  },
)

story(
  'an erasure deletes the texts of a user in calls, and leaves the evidence of a held partner',
  async ({ testApp, boris, anna, carl, vera }) => {
    for (const [guy, girl] of [
      [boris, anna],
      [carl, vera],
    ] as const) {
      await give(testApp, guy, 5)
      const { session_id } = await inCall(testApp, { guy, girl })
      await guy.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: `A threat to ${girl.name}` })
      await girl.act('TEXT_CHAT_MESSAGE', { session_id, id: 'b', text: 'Stop it' })
    }
    await testApp.duet('hold', 'add', anna.id, '--reason', 'case 1')
    const { app } = testApp
    for (const { id } of [boris, carl]) {
      await app.transact((tx) => setDeletionAsked(tx, id))
      await app.transact((tx) => closeAccount(tx, id))
      while ((await app.transact((tx) => app.eraseUser(tx, id))) === 'more');
    }
    const left = await app.db.selectFrom('session_texts').select(['text', 'original']).execute()
    deepEqual(left.map(({ text, original }) => [text, original]).sort(), [
      ['', 'A threat to anna'],
      ['Stop it', null],
      ['Stop it', null],
    ])
  },
)

story('a user who is not a party cannot act in a call', async ({ testApp, boris, anna, carl }) => {
  await give(testApp, boris, 5)
  const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
  await carl.isRefused('not_found', () =>
    carl.act('TEXT_CHAT_MESSAGE', { session_id, id: 'x', text: 'hi' }),
  )
  await carl.isRefused('not_found', () => carl.act('BREAK_SESSION', { session_id }))
  await carl.isRefused('not_found', () => carl.act('SESSION_UP', { session_id }))
  await carl.isRefused('not_found', () =>
    carl.act('SESSION_UP_REACTION', { session_id, accept: true }),
  )
  await boris.isRefused('invalid', () =>
    boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'x', text: 'x'.repeat(1001) }),
  )
  await boris.isRefused('invalid', () =>
    boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'x' } as never),
  )
  await boris.isRefused('invalid', () => boris.act('BREAK_SESSION', { session_id: 'one' } as never))
})

story(
  'the private price counts from the acceptance, if the guy can pay',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(70)
    await boris.act('SESSION_UP', { session_id })
    const asked = await anna.heard('session_up', { session_id })
    equal(asked.price, '125')
    await anna.act('SESSION_UP_REACTION', { session_id, accept: true })
    const { session } = await boris.heard('new_session', {}, {})
    equal(session.id, session_id)
    await talk(60)
    const receipt = await boris.act('BREAK_SESSION', { session_id })
    deepEqual([receipt.paid_seconds, receipt.spent], [60, '1.5'])
    equal(await units(testApp, anna), 125n * COIN_UNITS)
  },
)

story(
  'a declined request cannot be repeated for a minute; a guy without money learns the missing amount',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(4)
    equal(
      (await boris.isRefused('no_balance', () => boris.act('SESSION_UP', { session_id }))).missing,
      '1.5',
    )
    await anna.isRefused('user_offline', () => anna.act('SESSION_UP', { session_id }))
    await give(testApp, boris, 5)
    await boris.act('SESSION_UP', { session_id })
    await anna.act('SESSION_UP_REACTION', { session_id, accept: false })
    await boris.heard('session_up_declined', { reason: 'declined' })
    await boris.isRefused('too_many', () => boris.act('SESSION_UP', { session_id }))
  },
)

story('repeated requests return the same receipt', async ({ testApp, boris, anna }) => {
  await give(testApp, boris, 5)
  const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(90)
  const receipts = await together(5, () => boris.act('BREAK_SESSION', { session_id }))
  for (const receipt of receipts) deepEqual(receipt, receipts[0])
  await anna.heard('close_session', { session_id }, { times: 1 })
  const { items } = await boris.get('history_chats')
  deepEqual(
    [items[0]?.session_id, items[0]?.paid_seconds, items[0]?.spent],
    [session_id, 20, '0.3333'],
  )
})

story(
  'after a crash the call continues from the last tick when both sides return',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 10)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(90)
    await testApp.crash()
    for (const one of [boris, anna]) {
      const { active_session } = await one.comeBack()
      equal(active_session!.id, call.session_id)
      await one.openSignal()
      one.signal('JOIN_SESSION', { session_id: call.session_id, session_guid: call.session_guid })
      await one.signalHeard('new_peer', { session_guid: call.session_guid })
    }
    await call.report()
    await call.talk(10)
    const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
    ok(receipt.paid_seconds >= 26 && receipt.paid_seconds <= 30, `${receipt.paid_seconds} paid`)
    equal(
      await units(testApp, boris),
      600n * UNITS_A_SECOND - BigInt(receipt.paid_seconds) * UNITS_A_SECOND,
    )
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'after a crash the call closes and releases its hold when no party returns',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 10)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await call.talk(90)
    await testApp.crash()
    await testApp.advance('11 s')
    await boris.comeBack()
    const { reason, paid_seconds } = await boris.act('BREAK_SESSION', {
      session_id: call.session_id,
    })
    equal(reason, 'server')
    const { balance_units, held_units } = await balances(testApp.app.db, boris.id)
    deepEqual(
      [balance_units, held_units],
      [600n * UNITS_A_SECOND - BigInt(paid_seconds) * UNITS_A_SECOND, 0n],
    )
  },
)

story('a block ends the call as left', async ({ testApp, boris, anna }) => {
  await give(testApp, boris, 5)
  const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
  await anna.act('BLOCK_USER', { user_id: boris.id })
  await boris.heard('close_session', { session_id, reason: 'left' })
})

story('a logout ends the call as left', async ({ testApp, boris, anna }) => {
  const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
  await anna.act('LOGOUT', {})
  await boris.heard('close_session', { session_id, reason: 'left' })
})

story(
  'after a takeover by another tab the call waits for the grace time and ends as new_tab',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    const other = await boris.inAnotherTab()
    await testApp.settle()
    await testApp.advance('11 s')
    await anna.heard('close_session', { session_id: call.session_id, reason: 'new_tab' })
    other.wire?.close()
  },
)

story(
  'another identity on the same socket ends the call as left',
  async ({ testApp, boris, anna, carl }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.auth({ token: carl.token! })
    equal(boris.id, carl.id)
    await anna.heard('close_session', { session_id, reason: 'left' }, { times: 1 })
    await boris.isRefused('not_found', () => boris.act('BREAK_SESSION', { session_id }))
    equal(registeredCall(testApp.app, session_id), undefined)
  },
)

story(
  'a receipt that is read later shows the balance of that moment',
  async ({ testApp, boris, anna }) => {
    await give(testApp, boris, 5)
    const { change_id } = await boris.auth()
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    await give(testApp, boris, 10)
    const { changes } = await boris.act('GET_CHANGES', { since: change_id })
    const receipt = changes.find(({ event }) => event === 'close_session')!
    equal((receipt.payload as { balance: string }).balance, '15')
  },
)

story(
  'the operator limits the characters of a text in a call, counted after normalisation',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await testApp.setting('message_chars', '5')
    const decomposed = 'e\u0301'.repeat(5)
    equal(
      (await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: '1', text: decomposed })).text.length,
      5,
    )
    await boris.isRefused('invalid', () =>
      boris.act('TEXT_CHAT_MESSAGE', { session_id, id: '2', text: 'sixsix' }),
    )
  },
)

story('the history of calls ends after the last thousand', async ({ testApp, boris, anna }) => {
  const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
  await boris.act('BREAK_SESSION', { session_id })
  await testApp.database.pool.query(
    `insert into video_sessions
       select (jsonb_populate_record(one, jsonb_build_object('session_id', one.session_id + number))).*
       from video_sessions one, generate_series(1, 1050) number`,
  )
  const page = (number: number) => boris.get('history_chats', { page: number, 'per-page': 50 })
  const last = await page(20)
  deepEqual(
    [last.items.length, last.items.at(-1)?.session_id, last.next],
    [50, session_id + 51, false],
  )
  equal((await page(19)).next, true)
  deepEqual((await page(21)).items, [])
})

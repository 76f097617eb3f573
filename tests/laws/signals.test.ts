import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { type JoinedCall, inCall } from '@duet/testkit/calls/in-call.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'

/** Goal S2: the long form by `PROOF=long`. */
const signals = process.env.PROOF === 'long' ? 1_000_000 : 20_000
const seed = testSeed()
const COUPLES = 5
/** Below the pace of `/signal`: what is measured is where signals go, not that too many are refused. */
const SIGNALS_A_SECOND = 45

interface Said {
  nonce: string
  from: TestUser
  payload: Record<string, unknown>
  due: TestUser | undefined
}
interface Couple {
  guy: TestUser
  girl: TestUser
  call: JoinedCall
}

/** Calls that run and calls that ran, and every user who tries to send signals in them. */
class Switchboard {
  readonly random: () => number
  readonly testApp: TestApp
  readonly couples: Couple[]
  readonly outsiders: TestUser[]
  readonly people: TestUser[]
  readonly closed_ids: number[] = []
  readonly former_guids: string[] = []
  readonly said = new Map<string, Said>()
  delivered = 0

  constructor(testApp: TestApp, running: Couple[], outsiders: TestUser[], random: () => number) {
    this.testApp = testApp
    this.couples = running
    this.outsiders = outsiders
    this.people = [...running.flatMap(({ guy, girl }) => [guy, girl]), ...outsiders]
    this.random = random
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!
  }

  /**
   * Sends a signal of a user: with their own ids, another user's, a closed call's, an outdated guid, or
   * invented ids.
   */
  send(from: TestUser): void {
    const own = this.couples.find(({ guy, girl }) => guy === from || girl === from)
    const foreign = this.pick(this.couples)
    const nonce = randomUUID()
    const session_id = this.pick([
      ...(own ? [own.call.session_id, own.call.session_id, own.call.session_id] : []),
      foreign.call.session_id,
      this.closed_ids.length > 0 ? this.pick(this.closed_ids) : 999_999,
      1 + Math.floor(this.random() * 2_147_483_646),
    ])
    const session_guid = this.pick([
      ...(own ? [own.call.session_guid, own.call.session_guid, own.call.session_guid] : []),
      foreign.call.session_guid,
      this.former_guids.length > 0 ? this.pick(this.former_guids) : randomUUID(),
      randomUUID(),
    ])
    const sdp = `s=${nonce}\r\n`
    const candidate = `candidate:1 1 udp 1 203.0.113.7 9 typ host ufrag ${nonce}`
    const body = this.pick([
      { type_signal: 'offer', data: { type: 'offer', sdp } },
      { type_signal: 'offer', data: { type: 'answer', sdp } },
      { type_signal: 'ice-candidate', data: { candidate, sdpMid: '0', sdpMLineIndex: 0 } },
    ])
    // One in ten speaks into a preparation instead, by a guid that it knows.
    const aim = this.random() < 0.1 ? { prepare_id: session_guid } : { session_id }
    const payload = { ...aim, session_guid, ...body }
    const isRight =
      own !== undefined &&
      aim.session_id === own.call.session_id &&
      session_guid === own.call.session_guid
    const due = isRight ? (own.guy === from ? own.girl : own.guy) : undefined
    this.said.set(nonce, { nonce, from, payload, due })
    from.signaling!.emit('WEBRTC_SIGNAL', payload)
  }

  /** Things around the signals that must change nothing for anybody else: strangers join, report, and hang up. */
  meddle(from: TestUser): void {
    const { call } = this.pick(
      this.couples.filter(({ guy, girl }) => guy !== from && girl !== from),
    )
    const { session_id, session_guid } = call
    const counts = {
      frames_decoded: 1,
      frames_sent: 1,
      reports_received: 1,
      audio: true,
      video: true,
    }
    const [event, payload] = this.pick<[string, object]>([
      ['JOIN_SESSION', { session_id, session_guid }],
      ['JOIN_SESSION', { session_id }],
      ['PEER_NOT_CONNECTED', { session_id, session_guid }],
      ['PEER_STATE', { session_id, session_guid, ...counts, video: false }],
    ])
    from.signaling!.emit(event, payload)
  }

  /** A reload: both get a fresh guid, and the former guid becomes invalid. */
  async reload(couple: Couple): Promise<void> {
    const { guy, girl, call } = couple
    const joiner = this.pick([guy, girl])
    this.former_guids.push(call.session_guid)
    joiner.signal('JOIN_SESSION', { session_id: call.session_id })
    await this.testApp.settle()
    const peers = [guy, girl].map((one) => lastGuid(one, call.session_id))
    equal(peers[0], peers[1])
    ok(peers[0] !== call.session_guid, 'a reload brings a fresh guid')
    call.session_guid = peers[0]!
    await call.connect()
  }

  /** One hangs up, and the two call each other again: ids of the former call are stale. */
  async again(couple: Couple): Promise<void> {
    const { guy, girl, call } = couple
    this.closed_ids.push(call.session_id)
    this.former_guids.push(call.session_guid)
    await this.pick([guy, girl]).act('BREAK_SESSION', { session_id: call.session_id })
    await this.testApp.settle()
    for (const one of [guy, girl]) one.forget()
    couple.call = await inCall(this.testApp, { guy, girl })
    await couple.call.connect()
  }

  /** Each signal that arrived was due at its receiver, once, unchanged; each signal that was due arrived. */
  judge(): void {
    const due = new Set([...this.said.values()].filter((one) => one.due).map(({ nonce }) => nonce))
    for (const person of this.people) {
      for (const { event, payload } of person.signaling!.heard) {
        ok(event !== 'error_999' && event !== 'error_601', `${person.name} heard ${event}`)
        if (event !== 'peer_signal') continue
        const { sdp, candidate } = payload.data as { sdp?: string; candidate?: string }
        const said = this.said.get(/[0-9a-f-]{36}/.exec((sdp ?? candidate)!)![0])
        ok(said, `${person.name} received a signal that no user sent just now`)
        equal(person.name, said.due?.name, `of ${said.from.name}: ${JSON.stringify(said.payload)}`)
        deepEqual(payload, said.payload)
        ok(due.delete(said.nonce), 'a signal arrived twice')
        this.delivered += 1
      }
      ok(person.signaling!.socket.connected, `${person.name} lost the socket`)
      person.forget()
    }
    deepEqual([...due], [], 'a signal between the two of one call was lost')
    this.said.clear()
  }
}

function lastGuid(one: TestUser, session_id: number): string | undefined {
  const peers = one.signaling!.heard.filter(
    ({ event, payload }) => event === 'new_peer' && payload.session_id === session_id,
  )
  return peers.at(-1)?.payload.session_guid as string | undefined
}

test(`of ${signals} signals: delivers every signal of a call, and no signal with a foreign, stale or invented id (seed ${seed})`, async () => {
  const testApp = await openTestApp()
  try {
    const random = randomFrom(seed)
    const { guys, girls } = await enterCrowd(testApp, {
      guys: COUPLES + 1,
      girls: COUPLES + 1,
      minutes: 500_000,
    })
    const outsiders = [guys.pop()!, girls.pop()!, await testApp.guest()]
    for (const outsider of outsiders) await outsider.openSignal()
    const running: Couple[] = []
    for (const [at, guy] of guys.entries()) {
      const girl = girls[at]!
      running.push({ guy, girl, call: await inCall(testApp, { guy, girl }) })
    }
    const board = new Switchboard(testApp, running, outsiders, random)
    for (const { call } of running) await call.connect()
    for (let sent = 0; sent < signals;) {
      for (const person of board.people) {
        const many = 1 + Math.floor(random() * (SIGNALS_A_SECOND - 5))
        for (let one = 0; one < many; one += 1) board.send(person)
        sent += many
        board.meddle(person)
      }
      await testApp.settle()
      board.judge()
      if (random() < 0.25) await board.reload(board.pick(running))
      if (random() < 0.1) await board.again(board.pick(running))
      await testApp.advance('1 s')
      for (const { call } of running) await call.report()
      for (const person of board.people) person.forget()
    }
    ok(
      board.delivered > signals / 20,
      `only ${board.delivered} of ${signals} signals were due to anybody`,
    )
    equal(board.closed_ids.length > 0, true)
    const open = await testApp.app.db
      .selectFrom('video_sessions')
      .select('session_id')
      .where('status', '!=', 'closed')
      .execute()
    equal(open.length, COUPLES, 'no stranger ended a call')
  } finally {
    await testApp.close()
  }
})

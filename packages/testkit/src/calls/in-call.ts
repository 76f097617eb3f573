import { withoutQuota } from '../searching.ts'
import type { TestUser } from '../test-user.ts'
import type { TestApp } from '../test-app.ts'

/** Two users in a call, with the reports that their pages would send. */
export interface JoinedCall {
  readonly session_id: number
  session_guid: string
  /** Both pages report that they are connected and that frames flow. */
  connect(): Promise<void>
  /** Lets good seconds pass: both report every two seconds. */
  talk(seconds: number): Promise<void>
  /** Sends one PEER_STATE of each page, with fresh frames by default. */
  report(said?: { guy?: Report; girl?: Report }): Promise<void>
}

export interface Report {
  readonly frames?: number
  readonly video?: boolean
  readonly silent?: boolean
}

const REPORT_SECONDS = 2

/**
 * Opens a call between two connected users, as matchmaking does when both accepted, and joins both.
 */
export async function inCall(
  testApp: TestApp,
  {
    guy,
    girl,
    free_start = true,
    kind = 'random',
  }: { guy: TestUser; girl: TestUser; free_start?: boolean; kind?: 'random' | 'direct' },
): Promise<JoinedCall> {
  for (const one of [guy, girl]) if (!one.signaling) await one.openSignal()
  await testApp.app.transact((tx) =>
    tx.publish('pair_accepted', {
      pair_id: crypto.randomUUID(),
      kind,
      guy_id: guy.id,
      girl_id: girl.id,
      guy_from_search: true,
      girl_from_search: true,
      free_start,
    }),
  )
  return joinCall(testApp, { guy, girl })
}

/** Joins both to the call that has just opened for them. Their signaling sockets are open. */
export async function joinCall(
  testApp: TestApp,
  { guy, girl }: { guy: TestUser; girl: TestUser },
): Promise<JoinedCall> {
  const { session } = await guy.heard('new_session')
  await girl.heard('new_session')
  const session_id: number = session.id
  for (const one of [guy, girl]) one.signal('JOIN_SESSION', { session_id })
  const peer = await guy.signalHeard('new_peer', { session_id })
  await girl.signalHeard('new_peer', { session_id })
  return getJoinedCall(testApp, guy, girl, session_id, peer.session_guid)
}

/** A connected call in which the guy pays from the first second, out of minutes that he is given. */
export async function paidCall(
  testApp: TestApp,
  { guy, girl, minutes }: { guy: TestUser; girl: TestUser; minutes: number | string },
): Promise<JoinedCall> {
  await testApp.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
  await withoutQuota(testApp, guy)
  const call = await inCall(testApp, { guy, girl, free_start: false })
  await call.connect()
  return call
}

function getJoinedCall(
  testApp: TestApp,
  guy: TestUser,
  girl: TestUser,
  session_id: number,
  session_guid: string,
): JoinedCall {
  const counts = { guy: 0, girl: 0 }
  const call: JoinedCall = {
    session_id,
    session_guid,
    async connect() {
      for (const one of [guy, girl])
        one.signal('PEER_CONNECTED', { session_id, session_guid: call.session_guid })
      await testApp.settle()
    },
    async report({ guy: his = {}, girl: hers = {} } = {}) {
      for (const [one, side, said] of [
        [guy, 'guy', his],
        [girl, 'girl', hers],
      ] as const) {
        if (said.silent) continue
        counts[side] += said.frames ?? 60
        const frames = counts[side]
        const { video = true } = said
        one.signal('PEER_STATE', {
          session_id,
          session_guid: call.session_guid,
          frames_decoded: frames,
          frames_sent: frames,
          reports_received: frames,
          audio: true,
          video,
        })
      }
      await testApp.settle()
    },
    async talk(seconds) {
      for (let left = seconds; left > 0; left -= REPORT_SECONDS) {
        await testApp.advance(`${Math.min(left, REPORT_SECONDS)} s`)
        await call.report()
      }
    },
  }
  return call
}

import { equal } from 'node:assert/strict'
import type { Credential, Who } from '@duet/protocol/kernel/contract.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { mayRequest, type Principal, staffRoles } from '@duet/protocol/kernel/who.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { addPerson, type People } from '@duet/testkit/people.ts'
import type { TestApp } from '@duet/testkit/test-app.ts'
import { plusMs } from '../src/lib/clock.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** Every kind of caller that the matrices try. */
export interface MatrixCaller {
  readonly name: string
  readonly user: TestUser
  /** By the token of a user, on both sockets and over HTTP. 'ended': a token that is not valid, or not any more. */
  readonly token: Principal | 'ended'
  /** By the cookie of the back office. */
  readonly office: Principal | 'ended'
}

const VISITOR: Principal = { kind: 'none' }

/** Opens one caller of each kind. A member of staff also sends the token of the office as the token of a user. */
export async function openCallers(testApp: TestApp): Promise<MatrixCaller[]> {
  const add = (name: keyof People) => addCaller(testApp, name)
  const [boris, carl, anna, nina, gina] = [
    await add('boris'),
    await add('carl'),
    await add('anna'),
    await add('nina'),
    await add('gina'),
  ]
  await testApp.duet('premium', carl.id, '--days', 30)
  const users: readonly (readonly [string, TestUser, Principal | 'ended'])[] = [
    ['visitor', testApp.user('visitor'), VISITOR],
    ['guest', gina, { kind: 'guest' }],
    ['guy', boris, { kind: 'member', role: 'guy' }],
    ['premium guy', carl, { kind: 'member', role: 'guy', premium: true }],
    ['girl', nina, { kind: 'member', role: 'girl' }],
    ['verified girl', anna, { kind: 'member', role: 'girl', verified: true }],
    ['banned guy', await openBanned(testApp), { kind: 'member', role: 'guy', banned: true }],
    [
      'suspended girl',
      await openSuspended(testApp, carl),
      { kind: 'member', role: 'girl', verified: true, banned: true },
    ],
    ['signed-out girl', await openSignedOut(testApp), 'ended'],
  ]
  return [
    ...users.map(([name, user, token]) => ({ name, user, token, office: VISITOR })),
    ...(await openOffice(testApp)),
  ]
}

/** The refusal of a call because of the caller, or null where the caller may make it. */
export function callerRefusal(
  { token, office }: MatrixCaller,
  contract: {
    readonly who: Who | readonly Who[]
    readonly banned?: true
    readonly credential?: Credential
  },
): RefusalName | null {
  const isOffice = contract.credential === 'staff'
  // The entrance of the office reads no cookie.
  if (isOffice && contract.who === 'any') return null
  const principal = isOffice ? office : token
  return principal === 'ended' ? 'session_invalid' : mayRequest(principal, contract)
}

export const isSignedIn = ({ token }: MatrixCaller): boolean =>
  token !== 'ended' && token.kind !== 'none'

/** Apart from the people of a story, who may have the same names. */
const addCaller = (testApp: TestApp, name: keyof People) =>
  addPerson(testApp, name, `${name}@callers.example`)

async function openBanned(testApp: TestApp): Promise<TestUser> {
  const david = await addCaller(testApp, 'david')
  await testApp.duet('ban', david.id, '--reason', 'other', '--comment', 'test')
  return david
}

/** A complaint about a minor suspends the accused until staff decide. */
async function openSuspended(testApp: TestApp, complainer: TestUser): Promise<TestUser> {
  const vera = await addCaller(testApp, 'vera')
  const call = await inCall(testApp, { guy: complainer, girl: vera })
  await call.connect()
  const { session_id } = call
  const complaint = { reason: 'child', user_id: vera.id, comment: '', session_id } as const
  await complainer.act('TO_COMPLAIN', complaint)
  await vera.heard('banned')
  return vera
}

async function openSignedOut(testApp: TestApp): Promise<TestUser> {
  const clara = await addCaller(testApp, 'clara')
  const { token } = clara
  await clara.act('LOGOUT', {})
  equal(clara.token, token)
  return clara
}

async function openOffice(testApp: TestApp): Promise<MatrixCaller[]> {
  const callers: MatrixCaller[] = []
  for (const staff_role of staffRoles) {
    const user = await openStaff(testApp, staff_role)
    user.token = user.cookie!.split('=')[1]!
    callers.push({ name: staff_role, user, token: 'ended', office: { kind: 'staff', staff_role } })
  }
  const user = await openStaff(testApp, 'owner', 'former@duet.example')
  const { cookie } = user
  await user.post('v2/manager/sign-out')
  user.cookie = cookie
  user.token = cookie!.split('=')[1]!
  return [...callers, { name: 'signed-out owner', user, token: 'ended', office: 'ended' }]
}

/** Gives back the tokens that the calls before took, without waiting. */
export async function pass(testApp: TestApp): Promise<void> {
  const until = plusMs(testApp.clock.now(), 3000)
  while (testApp.clock.step(until));
}

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { SignalSentName } from '@duet/protocol/contracts/signaling.ts'
import type { Action, Endpoint } from '@duet/protocol/kernel/contract.ts'
import { createExample } from '@duet/protocol/reference/example.ts'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { mayRequest, type Principal } from '@duet/protocol/kernel/who.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import {
  type Heard,
  openSocket,
  type WireAnswer,
  type WireSocket,
} from '@duet/testkit/wire-client.ts'
import { type MatrixCaller, callerRefusal, isSignedIn, openCallers, pass } from './principals.ts'

/**
 * These calls change the identity of the caller, so the calls after them would prove nothing; they
 * have stories of their own.
 */
const callerActions: ReadonlySet<string> = new Set([
  'AUTH',
  'LOGOUT',
  'POST delete_account',
  'POST account/sessions/end',
  'POST demo/sign-in',
  'POST v2/manager/sign-out',
  'POST v2/manager/demo-sign-in',
])
/**
 * Refusals because of the caller's role or state. A call that the caller may make never answers
 * them for that reason.
 */
const CALLER_REFUSALS: ReadonlySet<number> = new Set([102, 109, 904])
/** Fields that name the user that an action is aimed at. */
const PERSON_FIELDS: ReadonlySet<string> = new Set([
  'user_id',
  'interlocutor_id',
  'recipient_id',
  'check_user_id',
])
const ABSENT_ID = 2_000_000_000

/** These have a credential of their own; stories of their modules forge it. */
const OTHER_CREDENTIALS: ReadonlySet<string | undefined> = new Set([
  'project',
  'provider',
  'signature',
])

story('no action succeeds for a caller who may not call it', async ({ testApp }) => {
  const found: string[] = []
  const callers = await openCallers(testApp)
  const other = callers.find(({ name }) => name === 'verified girl')!.user.id
  for (const caller of callers) {
    for (const [name, { contract, handler }] of testApp.running.registry.actions) {
      if (name !== contract.name || callerActions.has(name)) continue
      const right = expected(caller, contract, handler !== undefined)
      if (isSignedIn(caller)) await pass(testApp)
      for (const data of objects(contract, [ABSENT_ID, caller.user.id || 1, other])) {
        const code = await actionCode(caller, name, data)
        const wrong = judge(code, right, contract.refuses)
        if (wrong) found.push(`${caller.name} ${name} ${JSON.stringify(data)}: ${wrong}`)
        // Without an identity, no action reads its data.
        if (!isSignedIn(caller)) break
      }
    }
  }
  deepEqual(found, [])
})

story('no endpoint succeeds for a caller who may not call it', async ({ testApp }) => {
  const found: string[] = []
  let refused = 0
  for (const caller of await openCallers(testApp)) {
    for (const [name, { contract, handler }] of testApp.running.registry.endpoints) {
      if (callerActions.has(name) || OTHER_CREDENTIALS.has(contract.credential)) continue
      const right = handler ? (callerRefusal(caller, contract) ?? 'may') : 'unknown_call'
      if (right === 'may') await pass(testApp)
      else refused += 1
      const code = await endpointCode(testApp, caller, contract)
      const wrong = judge(code, right, contract.refuses)
      if (wrong) found.push(`${caller.name} ${name}: ${wrong}`)
    }
  }
  deepEqual(found, [])
  ok(refused > 1000, `${refused} calls were refused`)
})

/** How each signal about a call of others is answered; one without a line does not compile. */
const SIGNALS: Readonly<Record<Exclude<SignalSentName, 'AUTH'>, RefusalName | 'nothing'>> = {
  JOIN_SESSION: 'not_found',
  WEBRTC_SIGNAL: 'not_found',
  PEER_CONNECTED: 'not_found',
  PEER_NOT_CONNECTED: 'not_found',
  PEER_STATE: 'not_found',
  PREPARED: 'not_found',
  // It names no call: an entry of a call that one is not in is dropped.
  LOG: 'nothing',
}

story(
  'no signal of any caller reaches a call of others, and none is taken from a caller without a user',
  async ({ testApp, david: guy, clara: girl }) => {
    const callers = await openCallers(testApp)
    const call = await inCall(testApp, { guy, girl })
    await call.connect()
    await testApp.settle()
    for (const one of [guy, girl]) one.forget()
    const found: string[] = []
    const { session_id, session_guid } = call
    for (const caller of callers) {
      const verdict = callerRefusal(caller, { who: 'guest' })
      for (const [name, right] of Object.entries(SIGNALS)) {
        const { contract } = testApp.running.registry.signals.get(name)!
        const example = createExample(contract.payload) as object
        const sent = { ...example, ...('session_id' in example && { session_id, session_guid }) }
        const answer = await signalAnswer(testApp, caller, name, sent)
        if (answer !== (verdict ?? right)) found.push(`${caller.name} ${name}: ${answer}`)
      }
    }
    deepEqual(found, [])
    for (const one of [guy, girl]) deepEqual(one.signaling!.heard, [], one.name)
    await call.talk(2)
  },
)

/** Sends a signal on a socket of the caller's own, also where the socket refused the caller. */
async function signalAnswer(
  testApp: TestApp,
  caller: MatrixCaller,
  name: string,
  payload: object,
): Promise<string> {
  const { user } = caller
  const wire = await openSocket(testApp.origin, '/signal', { origin: testApp.origin })
  const ortc_token = user.user.ortc_token || user.token || 'tok_3f9a'
  if (!isSignedIn(caller)) {
    wire.emit(name, payload)
    wire.emit('AUTH', { ortc_token, tab_id: user.tab_id })
    await wire.closed
  } else {
    if (!user.wire!.socket.connected) await user.comeBack()
    wire.emit('AUTH', { ortc_token, tab_id: user.tab_id })
    await received(wire, ({ event }) => event === 'auth_success')
    wire.emit(name, payload)
    await testApp.settle()
    wire.close()
  }
  const error = wire.heard.find(({ payload: heard }) => heard.action === name)
  return String(error?.payload.name ?? 'nothing')
}

async function received(wire: WireSocket, is: (heard: Heard) => boolean): Promise<void> {
  if (wire.heard.some(is)) return
  await new Promise<void>((resolve) => {
    const stop = wire.onHeard(() => {
      if (!wire.heard.some(is)) return
      stop()
      resolve()
    })
  })
}

/** A blocked user may end what is between the two, block back, complain and read the own half. Typing succeeds and is not sent. */
const AFTER_A_BLOCK: ReadonlySet<string> = new Set([
  'BLOCK_USER',
  'UNBLOCK_USER',
  'REMOVE_FAVOURITE',
  'GET_DIALOG',
  'GET_DIALOG_MESSAGES',
  'READ_MESSAGE',
  'DELETE_DIALOG',
  'CLEAN_DIALOG',
  'GET check_favourite',
  'TO_COMPLAIN',
])

story(
  'a blocked user cannot reach the user who blocked them, by any request that names the user or their dialog',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('premium', boris.id, '--days', 30)
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await testApp.settle()
    anna.forget()
    const allowed = new Set(['blocked', 'not_found', 'role_forbidden'])
    const { actions, endpoints } = testApp.running.registry
    const answers: Record<string, string> = {}
    for (const [name, { contract, handler }] of actions) {
      if (!handler || name !== contract.name || AFTER_A_BLOCK.has(name)) continue
      const example = createExample(contract.data, 'required') as object
      if (!namesUser(example)) continue
      await pass(testApp)
      const answer = await boris.tryAct(name, {
        ...(aimed(example, anna.id) as object),
        ...('dialogId' in example && { dialogId }),
      })
      answers[name] = 'error' in answer ? answer.error.name : 'ok'
    }
    for (const [name, { contract, handler }] of endpoints) {
      const asked = {
        ...(createExample(contract.query) as object),
        ...(contract.body && (createExample(contract.body) as object)),
      }
      if (!handler || contract.credential === 'staff') continue
      if (AFTER_A_BLOCK.has(name) || !namesUser(asked)) continue
      await pass(testApp)
      const [method, path] = name.split(' ') as [string, string]
      const sent = aimed(asked, anna.id) as Record<string, string>
      answers[name] = await (
        method === 'GET' ? boris.get(path, sent) : boris.post(path, sent)
      ).then(
        // A permission names its refusal in the answer.
        (answer) => String((answer as { name?: unknown }).name ?? 'ok'),
        (error: { refusal: string }) => error.refusal,
      )
    }
    const ref_code = anna.user.ref_code as string
    answers['GET girl_info'] = await boris.get('girl_info', { ref_code }).then(
      () => 'ok',
      (error: { refusal: string }) => error.refusal,
    )
    deepEqual(
      Object.entries(answers).filter(([name, answer]) => name !== 'TYPING' && !allowed.has(answer)),
      [],
    )
    ok(Object.keys(answers).length >= 8, String(Object.keys(answers)))
    await testApp.settle()
    deepEqual(
      anna.all().map(({ event }) => event),
      [],
    )
  },
)

function namesUser(example: object): boolean {
  return Object.keys(example).some((key) => PERSON_FIELDS.has(key) || key === 'dialogId')
}

async function actionCode(caller: MatrixCaller, name: string, data: unknown): Promise<number> {
  const { user } = caller
  if (isSignedIn(caller)) return readCode(await user.tryAct(name, data))
  await user.connect()
  const { token, tab_id } = user
  const said = { device_type: 'web', version: '2.0.1', tab_id, token }
  if (token !== undefined) equal(readCode(await user.tryAct('AUTH', said)), 102, caller.name)
  const code = readCode(await user.tryAct(name, data))
  user.wire!.close()
  return code
}

const readCode = (answer: WireAnswer) => ('error' in answer ? answer.error.code : 0)

async function endpointCode(
  testApp: TestApp,
  { user }: MatrixCaller,
  { path: pattern, query: schema, body, method, takes }: Endpoint,
): Promise<number> {
  const query = aimed(createExample(schema, 'required'), ABSENT_ID) as Record<string, unknown>
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(query[name] ?? 1))
  const asked = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  )
  const isForm = takes === 'multipart'
  const response = await fetch(
    `${testApp.origin}${path.startsWith('/') ? path : `/api/${path}`}?${asked}`,
    {
      method,
      headers: {
        ...(user.token && {
          'chat-token': user.token,
          'user-access-token': String(user.user.fs_token ?? user.token),
        }),
        ...(user.cookie && { cookie: user.cookie }),
        ...(!isForm && { 'content-type': takes === 'text' ? 'text/plain' : 'application/json' }),
      },
      ...(method !== 'GET' && {
        body: isForm
          ? new FormData()
          : JSON.stringify(aimed(createExample(body, 'required'), ABSENT_ID)),
      }),
    },
  )
  const answer = await response.text()
  return response.ok ? 0 : (JSON.parse(answer) as { code: number }).code
}

function expected(caller: MatrixCaller, contract: Action, mounted: boolean): RefusalName | 'may' {
  if (!isSignedIn(caller) && contract.name !== 'CAPTCHA') return 'session_invalid'
  return mounted ? (mayRequest(socketPrincipal(caller), contract) ?? 'may') : 'unknown_call'
}

/** A socket whose AUTH was refused has no identity. */
const socketPrincipal = ({ token }: MatrixCaller): Principal =>
  token === 'ended' ? { kind: 'none' } : token

/** Describes the error of an answer; undefined when the answer is right. */
function judge(
  code: number,
  right: RefusalName | 'may',
  lists: readonly RefusalName[],
): string | undefined {
  if (code === refusals.internal.code) return 'failed inside'
  if (right === 'may')
    return CALLER_REFUSALS.has(code) && !lists.some((name) => refusals[name].code === code)
      ? `answered ${code} to a caller who may call it`
      : undefined
  return code === refusals[right].code ? undefined : `answered ${code}, not ${refusals[right].code}`
}

/** The same call about different things: absent, one's own, another's. */
function objects({ data }: Action, ids: readonly number[]): unknown[] {
  const example = createExample(data)
  const all = ids.map((id) => aimed(example, id))
  return all.filter(
    (one, index) =>
      all.findIndex((other) => JSON.stringify(other) === JSON.stringify(one)) === index,
  )
}

function aimed(example: unknown, id: number): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  return Object.fromEntries(
    Object.entries(example).map(([key, value]) => [
      key,
      /(^|_)id$|Id$/.test(key) && typeof value === 'number'
        ? id
        : key.endsWith('_ids') && Array.isArray(value) && typeof value[0] === 'number'
          ? [id]
          : value,
    ]),
  )
}

import { deepEqual, ok } from 'node:assert/strict'
import type { Action, Endpoint } from '@duet/protocol/kernel/contract.ts'
import { createExample } from '@duet/protocol/reference/example.ts'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { mayRequest, type Principal } from '@duet/protocol/kernel/who.ts'
import { plusMs } from '../src/lib/clock.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { addPerson, type People } from '@duet/testkit/people.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

interface Caller {
  readonly name: string
  readonly principal: Principal
  readonly user: TestUser
}

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

async function callers(
  testApp: TestApp,
  cast: Pick<People, 'boris' | 'carl' | 'anna' | 'nina' | 'gina'>,
): Promise<Caller[]> {
  const { boris, carl, anna, nina, gina } = cast
  await testApp.duet('premium', carl.id, '--days', 30)
  const outlaw = await addPerson(testApp, 'david')
  await testApp.duet('ban', outlaw.id, '--reason', 'other', '--comment', 'test')
  return [
    { name: 'visitor', principal: { kind: 'none' }, user: testApp.user('visitor') },
    { name: 'guest', principal: { kind: 'guest' }, user: gina },
    { name: 'guy', principal: { kind: 'member', role: 'guy' }, user: boris },
    { name: 'premium guy', principal: { kind: 'member', role: 'guy', premium: true }, user: carl },
    { name: 'girl', principal: { kind: 'member', role: 'girl' }, user: nina },
    {
      name: 'verified girl',
      principal: { kind: 'member', role: 'girl', verified: true },
      user: anna,
    },
    { name: 'banned guy', principal: { kind: 'member', role: 'guy', banned: true }, user: outlaw },
  ]
}

story(
  'no action succeeds for a caller who may not call it',
  async ({ testApp, boris, carl, anna, nina, gina }) => {
    const found: string[] = []
    for (const caller of await callers(testApp, { boris, carl, anna, nina, gina })) {
      for (const [name, { contract, handler }] of testApp.running.registry.actions) {
        if (name !== contract.name || callerActions.has(name)) continue
        await pass(testApp)
        const verdict = mayRequest(caller.principal, contract)
        for (const data of objects(contract, [ABSENT_ID, caller.user.id || 1, anna.id])) {
          const code = await actionCode(caller, name, data)
          const wrong = judge(
            code,
            expected(caller, verdict, handler !== undefined, name),
            contract.refuses,
          )
          if (wrong) found.push(`${caller.name} ${name} ${JSON.stringify(data)}: ${wrong}`)
        }
      }
    }
    deepEqual(found, [])
  },
)

story(
  'no endpoint succeeds for a caller who may not call it',
  async ({ testApp, boris, carl, anna, nina, gina }) => {
    const found: string[] = []
    for (const caller of await callers(testApp, { boris, carl, anna, nina, gina })) {
      for (const [name, { contract, handler }] of testApp.running.registry.endpoints) {
        if (
          callerActions.has(name) ||
          (contract.credential ?? 'token') !== 'token' ||
          contract.gives === 'raw'
        )
          continue
        await pass(testApp)
        const code = await endpointCode(testApp, caller, contract)
        const wrong = judge(
          code,
          handler ? (mayRequest(caller.principal, contract) ?? 'may') : 'unknown_call',
          contract.refuses,
        )
        if (wrong) found.push(`${caller.name} ${name}: ${wrong}`)
      }
    }
    deepEqual(found, [])
  },
)

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

async function actionCode(
  { user, principal }: Caller,
  name: string,
  data: unknown,
): Promise<number> {
  if (principal.kind === 'none') await user.connect()
  const answer = await user.tryAct(name, data)
  if (principal.kind === 'none') user.wire!.close()
  return 'error' in answer ? answer.error.code : 0
}

async function endpointCode(
  testApp: TestApp,
  { user }: Caller,
  contract: Endpoint,
): Promise<number> {
  const query = createExample(contract.query, 'required') as Record<string, unknown>
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    String(query[name] ?? 1),
  )
  const asked = new URLSearchParams(
    Object.entries(query).map(([key, value]) => [key, String(value)]),
  )
  const response = await fetch(
    `${testApp.origin}${path.startsWith('/') ? path : `/api/${path}`}?${asked}`,
    {
      method: contract.method,
      headers: {
        ...(user.token && { 'chat-token': user.token }),
        ...(contract.takes === 'multipart'
          ? {}
          : { 'content-type': contract.takes === 'text' ? 'text/plain' : 'application/json' }),
      },
      ...(contract.method !== 'GET' && {
        body:
          contract.takes === 'multipart'
            ? new FormData()
            : JSON.stringify(createExample(contract.body, 'required')),
      }),
    },
  )
  const body = (await response.json()) as { code?: number }
  return body.code ?? 0
}

function expected(
  { principal }: Caller,
  verdict: RefusalName | null,
  mounted: boolean,
  name: string,
): RefusalName | 'may' {
  if (principal.kind === 'none' && name !== 'CAPTCHA') return 'session_invalid'
  return mounted ? (verdict ?? 'may') : 'unknown_call'
}

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
      /_id$|Id$/.test(key) && typeof value === 'number'
        ? id
        : key.endsWith('_ids') && Array.isArray(value) && typeof value[0] === 'number'
          ? [id]
          : value,
    ]),
  )
}

/** Gives back the tokens that the calls before took, without waiting. */
async function pass(testApp: TestApp): Promise<void> {
  const until = plusMs(testApp.clock.now(), 3000)
  while (testApp.clock.step(until));
}

import { deepEqual, equal, ok } from 'node:assert/strict'
import type { App } from '../../../core/app.ts'
import { isRefusal } from '../../../lib/refusal.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import { consumeLoginAttempt, consumeNewGuest, rememberLogin } from './login-limits.ts'
import { verifyPassword } from './passwords.ts'

const ELSEWHERE = '203.0.113.7'
const AT_HOME = '198.51.100.4'

/** The queue of an attempt, or the refusal. */
async function attempt(
  app: App,
  of: { login: string; user_id?: number; address: string },
): Promise<string> {
  try {
    const permitted = await consumeLoginAttempt(app, { user_id: undefined, ...of })
    return permitted.is_checked ? permitted.lane : 'too_many'
  } catch (error) {
    if (isRefusal(error)) return error.refusal
    throw error
  }
}

story(
  'no text that is typed as a login spends the limit of an account that it does not name',
  async ({ testApp, boris }) => {
    await boris.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    const { app } = testApp
    for (const login of [
      String(boris.id),
      `${boris.id} from 127.0.0.1`,
      `id:${boris.id}`,
      'login account boris@duet.example',
    ])
      // From many networks, so that only the limit of the account matters.
      for (let time = 0; time < 25; time += 1)
        await attempt(app, { login, address: `203.0.113.${time}` })
    const elsewhere = testApp.user('boris elsewhere')
    equal(
      (await elsewhere.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })).user.id,
      boris.id,
    )
    const owner = { login: 'boris@duet.example', user_id: boris.id }
    equal(await attempt(app, { ...owner, address: ELSEWHERE }), 'public')
  },
)

story(
  'guesses from elsewhere do not lock the owner out of a known network',
  async ({ testApp }) => {
    const { app } = testApp
    const owner = { login: 'owner@duet.example', user_id: 16 }
    rememberLogin(app, owner.user_id, AT_HOME)
    for (let time = 0; time < 20; time += 1)
      equal(await attempt(app, { ...owner, address: `203.0.113.${time}` }), 'public')
    equal(await attempt(app, { ...owner, address: ELSEWHERE }), 'too_many')
    equal(await attempt(app, { ...owner, address: AT_HOME }), 'known')
  },
)

story(
  'guesses from two networks are answered alike for members and for addresses without an account',
  async ({ testApp }) => {
    const { app } = testApp
    const member = { login: 'member@duet.example', user_id: 16 }
    const stranger = { login: 'stranger@duet.example' }
    rememberLogin(app, member.user_id, AT_HOME)
    const answerToWrong = async (of: { login: string; user_id?: number; address: string }) => {
      try {
        const permitted = await consumeLoginAttempt(app, { user_id: undefined, ...of })
        return permitted.retry_after ?? 'wrong_login'
      } catch (error) {
        if (isRefusal(error)) return error.additional
        throw error
      }
    }
    const answers = { member: [] as unknown[], stranger: [] as unknown[] }
    for (const [network, times] of [
      [ELSEWHERE, 25],
      [AT_HOME, 10],
      [ELSEWHERE, 3],
    ] as const)
      for (let time = 0; time < times; time += 1) {
        answers.member.push(await answerToWrong({ ...member, address: network }))
        answers.stranger.push(await answerToWrong({ ...stranger, address: network }))
      }
    deepEqual(answers.member, answers.stranger)
    deepEqual([answers.member[0], typeof answers.member[30]], ['wrong_login', 'number'])
    equal(await attempt(app, { ...member, address: AT_HOME }), 'known', 'the owner may still enter')
  },
)

story('a user with many networks does not displace those of others', async ({ testApp }) => {
  const { app } = testApp
  rememberLogin(app, 16, AT_HOME)
  for (let network = 0; network < 60_000; network += 1)
    rememberLogin(app, 17, `2001:db8:0:${network.toString(16)}::1`)
  const at = (user_id: number, address: string) =>
    attempt(app, { login: `${user_id}@duet.example`, user_id, address })
  equal(await at(16, AT_HOME), 'known')
  equal(await at(17, '2001:db8:0:1::1'), 'public', 'only the latest networks are known')
  equal(await at(17, '2001:db8:0:ea5f::1'), 'known')
})

story(
  'a customer with many IPv6 networks has ten times the attempts of one',
  async ({ testApp }) => {
    const { app } = testApp
    const counts = new Map<string, number>()
    for (let time = 0; time < 700; time += 1) {
      const address = `2001:db8:7:${time.toString(16)}::1`
      const answer = await attempt(app, { login: `user-${time}@duet.example`, address })
      counts.set(answer, (counts.get(answer) ?? 0) + 1)
    }
    equal(counts.get('public'), 600)
    equal(counts.get('too_many'), 100)
    const other = { login: 'anna@duet.example', address: '2001:db8:8::1' }
    equal(await attempt(app, other), 'public')
  },
)

story('a flood of new guests does not make the server forget attempts', async ({ testApp }) => {
  const { app } = testApp
  const guess = { login: 'owner@duet.example' }
  for (let time = 0; time < 20; time += 1)
    await attempt(app, { ...guess, address: `203.0.113.${time}` })
  for (let network = 0; network < 100_001; network += 1)
    await consumeNewGuest(
      app,
      `2001:db8:${(network >> 16).toString(16)}:${(network & 0xffff).toString(16)}::1`,
    )
  equal(await attempt(app, { ...guess, address: ELSEWHERE }), 'too_many')
})

story('guesses that fill the queue of hashes leave the one of known networks free', async () => {
  const guesses = together(53, () =>
    verifyPassword('guess', undefined, 'public').catch(() => 'full'),
  )
  ok(
    (await Promise.race([
      guesses.then(() => 'guesses'),
      verifyPassword('right', undefined, 'known'),
    ])) === false,
  )
  equal((await guesses).filter((answer) => answer === 'full').length, 1)
})

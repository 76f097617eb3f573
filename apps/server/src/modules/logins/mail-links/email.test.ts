import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

const MARIA = 'maria@duet.example'
const wish = {
  nick: 'Maria',
  email: MARIA,
  password: 'maria-secret-1',
  birthday: '1998-02-03',
  gender: toGender('girl'),
}

async function fetchKeys(testApp: TestApp, to: string): Promise<string[]> {
  const mails = await testApp.mails(to)
  return mails.flatMap(({ text }) => /\/confirm\/([\w-]+)/.exec(text)?.[1] ?? [])
}

async function registered(testApp: TestApp) {
  const maria = testApp.user('maria')
  await maria.auth()
  await maria.post('age/confirm', { confirmed: true, terms: true })
  const { token } = await maria.act('UPDATE_PROFILE', wish)
  maria.token = token
  await testApp.advance('1 s')
  return maria
}

story('a new member confirms the address by the link of a mail', async ({ testApp }) => {
  const maria = await registered(testApp)
  equal((await maria.get('profile')).user.email_confirmed, false)
  const [key] = await fetchKeys(testApp, MARIA)
  const visitor = testApp.user('another browser')
  await visitor.isRefused('recovery_invalid', () =>
    visitor.post('recovery_password', { recoveryKey: key!, password: 'stolen-secret-1' }),
  )
  maria.forget()
  await visitor.post('auth/email/confirm', { key })
  equal((await maria.heard('user_info')).user.email_confirmed, true)
  await visitor.post('auth/email/confirm', { key })
  await visitor.isRefused('recovery_invalid', () =>
    visitor.post('auth/email/confirm', { key: 'x'.repeat(43) }),
  )
})

story('a confirmation is mailed again, and the former link ends', async ({ testApp }) => {
  const maria = await registered(testApp)
  const [first] = await fetchKeys(testApp, MARIA)
  await maria.post('auth/email/resend')
  const [second] = await fetchKeys(testApp, MARIA)
  ok(second !== first)
  await maria.isRefused('recovery_invalid', () => maria.post('auth/email/confirm', { key: first }))
  await maria.post('auth/email/confirm', { key: second })
  await maria.post('auth/email/resend')
  equal((await fetchKeys(testApp, MARIA)).length, 2)
})

story(
  'a changed address must be confirmed again, the former one is told, and no other device stays logged in',
  async ({ testApp }) => {
    const maria = await registered(testApp)
    const phone = testApp.user('maria on a phone')
    await phone.auth({ login: MARIA, password: wish.password })
    const [first] = await fetchKeys(testApp, MARIA)
    await testApp.confirmEmail(maria)
    const { token, user } = await maria.post('profile', {
      email: 'luz@duet.example',
      current_password: wish.password,
    })
    maria.token = token
    deepEqual([user.email, user.email_confirmed], ['luz@duet.example', false])
    await phone.isRefused('session_invalid', () => phone.get('profile'))
    const [told] = await testApp.mails(MARIA)
    ok(told!.subject.includes('changed'), told!.subject)
    ok(!told!.text.includes('luz@'))
    await maria.isRefused('recovery_invalid', () =>
      maria.post('auth/email/confirm', { key: first }),
    )
    const [second] = await fetchKeys(testApp, 'luz@duet.example')
    await maria.post('auth/email/confirm', { key: second })
    equal((await maria.get('profile')).user.email_confirmed, true)
  },
)

import { deepEqual, equal, ok } from 'node:assert/strict'
import { collectCommands, runCommand } from '../../platform/operator/commands.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

const olga = ['--nick', 'Olga', '--email', 'olga@duet.example', '--password', 'olga-secret-1']

async function findRefusal(testApp: TestApp, ...line: string[]): Promise<string | undefined> {
  const { exit_code, answer } = await runCommand(
    testApp.app,
    collectCommands(testApp.running.modules, {}),
    line,
  )
  equal(exit_code, 1, line.join(' '))
  return (answer as { refusal?: string }).refusal
}

story(
  'a user added by the operator is verified and has an avatar at once, and receives every later change',
  async ({ testApp, boris }) => {
    const added = await testApp.duet<{ id: number; token: string }>(
      'user',
      'add',
      '--role',
      'girl',
      ...olga,
      '--verified',
      '--avatar',
      'demo',
    )
    const { user } = await testApp.user('olga', added.token).auth()
    deepEqual(
      [user.info.is_verify, user.avatar_status, user.age_confirmed, user.email_confirmed],
      [true, 'ready', true, true],
    )
    const { premium_until } = await testApp.duet<{ premium_until: string }>(
      'premium',
      boris.id,
      '--days',
      2,
    )
    deepEqual((await boris.heard('user_info')).user.premium_until, premium_until)
    const longer = await testApp.duet<{ premium_until: string }>(
      'premium',
      'boris@duet.example',
      '--days',
      1,
    )
    equal(
      Temporal.Instant.from(premium_until).add({ hours: 24 }).toString(),
      Temporal.Instant.from(longer.premium_until).toString(),
    )
    equal((await boris.get('profile')).user.is_premium, true)
    await testApp.leap('72 h')
    equal((await boris.get('profile')).user.is_premium, false)
    await testApp.duet('verify', added.id, '--decline', 'not her')
    equal((await testApp.user('olga', added.token).auth()).user.info.is_verify, false)
    const shown = await testApp.duet('user', 'show', added.id)
    ok(!('password_hash' in shown))
  },
)

story(
  'the shell rejects wrong input with a sentence, and adds no user',
  async ({ testApp, boris }) => {
    const add = (...line: string[]) => findRefusal(testApp, 'user', 'add', ...line)
    equal(await add('--role', 'admin', ...olga), 'invalid')
    equal(await add('--role', 'girl', '--nick', 'Olga'), 'invalid')
    equal(await add('--role', 'girl', '--nick', 'Ol', ...olga.slice(2)), 'name_short')
    equal(
      await add(
        '--role',
        'girl',
        '--nick',
        'Olga',
        '--email',
        'olga',
        '--password',
        'olga-secret-1',
      ),
      'email_invalid',
    )
    equal(await add('--role', 'girl', ...olga.slice(0, 4), '--password', 'short'), 'password_weak')
    equal(
      await add(
        '--role',
        'girl',
        '--nick',
        'Olga',
        '--email',
        'BORIS@duet.example',
        '--password',
        'olga-secret-1',
      ),
      'email_used',
    )
    equal(await add('--role', 'girl', ...olga, '--avatar', '/nowhere.png'), 'invalid')
    for (const id of ['', 'unknown@duet.example', '0', '99999999999999999999', '-1'])
      for (const line of [
        ['user', 'show', id],
        ['verify', id],
        ['premium', id, '--days', '1'],
      ])
        equal(await findRefusal(testApp, ...line), 'not_found')
    for (const days of ['0', '-1', '1.5', 'x', '99999999'])
      equal(await findRefusal(testApp, 'premium', String(boris.id), `--days=${days}`), 'invalid')
    equal((await testApp.app.db.selectFrom('users').select('id').execute()).length, 1)
  },
)

story(
  'a password that the operator sets ends every login, and follows the rules of every password',
  async ({ testApp, boris }) => {
    equal(
      await findRefusal(testApp, 'user', 'password', String(boris.id), '--password', 'short'),
      'password_weak',
    )
    equal((await boris.get('profile')).user.id, boris.id)
    await testApp.duet('user', 'password', boris.id, '--password', 'boris-new-secret-2')
    await boris.isRefused('session_invalid', () => boris.get('profile'))
    const login = 'boris@duet.example'
    const page = testApp.user('boris')
    await page.isRefused('wrong_login', () => page.auth({ login, password: 'boris-secret-1' }))
    equal((await page.auth({ login, password: 'boris-new-secret-2' })).user.id, boris.id)
  },
)

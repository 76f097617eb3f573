import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { story } from '@duet/testkit/test-app.ts'
import { modules } from '../../modules.ts'
import { parseArguments, collectCommands, findCommand, runCommand } from './commands.ts'
import { withInput } from './shell-input.ts'
import { ownCommands, type OwnCommandOptions } from './own-commands.ts'
import { askServer } from './shell-client.ts'
import { shellPath } from './shell-path.ts'
import { openShell } from './shell-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'duet-cli-'))
after(() => rm(folder, { recursive: true }))

test('a line is split into words and options', () => {
  deepEqual(
    parseArguments(
      ['12', '15', 'diamond', '--reason', 'a test', '--verified', '--to=now', '--flag'],
      '/',
    ),
    {
      words: ['12', '15', 'diamond'],
      options: { reason: 'a test', verified: true, to: 'now', flag: true },
      cwd: '/',
    },
  )
  deepEqual(parseArguments(['-5'], '/').words, ['-5'])
})

test('the command with the longest matching name runs', () => {
  const commands = new Map([
    ['user', 1],
    ['user add', 2],
  ])
  deepEqual(findCommand(commands, ['user', 'add', 'x']), {
    name: 'user add',
    command: 2,
    rest: ['x'],
  })
  deepEqual(findCommand(commands, ['user', 'show']), { name: 'user', command: 1, rest: ['show'] })
  equal(findCommand(commands, ['grant']), undefined)
})

test('operator commands arrive on a socket that only its owner may open', async () => {
  const shell = await openShell(folder, async ({ line, cwd }) => ({
    exit_code: 0,
    answer: { line, cwd, amount: 5n },
  }))
  equal((await stat(shellPath(folder))).mode & 0o777, 0o600)
  deepEqual(await askServer(folder, { line: ['a', 'b'], cwd: '/here' }), {
    exit_code: 0,
    answer: { line: ['a', 'b'], cwd: '/here', amount: '5' },
  })
  await rejects(
    openShell(folder, async () => ({ exit_code: 0, answer: {} })),
    /Another Duet is running on .* set DATA_DIR to another folder\.$/,
  )
  await shell.close()
  equal(await askServer(folder, { line: ['a'], cwd: '/' }), undefined)
})

test('the socket file of a killed server is replaced', async () => {
  await writeFile(shellPath(folder), '')
  const shell = await openShell(folder, async () => ({ exit_code: 0, answer: 'here' }))
  deepEqual(await askServer(folder, { line: [], cwd: '/' }), { exit_code: 0, answer: 'here' })
  await shell.close()
})

test('a folder with a long path still has a socket', () => {
  ok(shellPath(`/${'x'.repeat(200)}`).length < 104)
})

test('a socket outside of DATA_DIR is in a directory of the own account, and no other is used', async () => {
  const long = join(folder, 'x'.repeat(120))
  const directory = dirname(shellPath(long))
  const shell = await openShell(long, async () => ({ exit_code: 0, answer: 'ours' }))
  equal((await stat(directory)).mode & 0o777, 0o700)
  deepEqual(await askServer(long, { line: [], cwd: '/' }), { exit_code: 0, answer: 'ours' })
  await shell.close()
  // As another account can prepare it before the server starts.
  await chmod(directory, 0o777)
  await rejects(askServer(long, { line: [], cwd: '/' }), /belongs to another account or is open/)
  await rejects(
    openShell(long, async () => ({ exit_code: 0, answer: {} })),
    { name: 'StartRefused' },
  )
  await rm(directory, { recursive: true })
})

test('a value of an option is read from the standard input where the line has a hyphen', async () => {
  const input = async () => 'from the input\n'
  deepEqual(await withInput(['user', 'add', '--password', '-', '--nick', 'Olga'], input), [
    'user',
    'add',
    '--password',
    'from the input',
    '--nick',
    'Olga',
  ])
  deepEqual(await withInput(['grant', '1', '-5'], () => Promise.reject(new Error('not read'))), [
    'grant',
    '1',
    '-5',
  ])
})

story('doctor lists the contracts without a module', async ({ testApp }) => {
  const options = { contractRegistry: () => testApp.running.registry } as OwnCommandOptions
  const { exit_code, answer } = await runCommand(
    testApp.app,
    collectCommands(modules, ownCommands(options)),
    ['doctor'],
  )
  const found = answer as {
    calls_without_module: { count: number; actions: string[] }
    configured: { country: string }
    reachable: { database: string; storage: string }
    outbox: object
    retention: object[]
  }
  equal(exit_code, 0)
  deepEqual(found.outbox, { waiting: 0, dead: 0, kinds: [] })
  deepEqual(found.retention, [])
  equal(found.configured.country, 'table shipped with Duet')
  deepEqual([found.reachable.database, found.reachable.storage], ['ok', 'ok'])
  ok(!found.calls_without_module.actions.includes('ADD_FAVOURITE'))
  equal(
    found.calls_without_module.actions.includes('MESSAGE'),
    testApp.running.registry.actions.get('MESSAGE')!.handler === undefined,
  )
})

story.with({ env: { TRANSLATE_URL: 'http://127.0.0.1:9' } })(
  'doctor says that the translation service cannot be reached',
  async ({ testApp }) => {
    const options = { contractRegistry: () => testApp.running.registry } as OwnCommandOptions
    const { answer } = await runCommand(
      testApp.app,
      collectCommands(modules, ownCommands(options)),
      ['doctor'],
    )
    const { reachable } = answer as { reachable: { translation: string; smtp: string } }
    match(reachable.translation, /^failed: .*ECONNREFUSED/)
    equal(reachable.smtp, 'not configured')
  },
)

story('doctor says up to where the ledger is verified', async ({ testApp, boris }) => {
  const verified = async () => {
    const { answer } = await runCommand(
      testApp.app,
      collectCommands(
        modules,
        ownCommands({ contractRegistry: () => testApp.running.registry } as OwnCommandOptions),
      ),
      ['doctor'],
    )
    return (answer as { modules: { ledger: { verified: { transfer_id: number } } } }).modules.ledger
      .verified.transfer_id
  }
  const before = await verified()
  await testApp.duet('grant', boris.id, 1, 'diamond', '--reason', 'test')
  equal(await verified(), before)
  await testApp.duet('ledger', 'check')
  ok((await verified()) > before)
})

story(
  'an impossible command answers one sentence and exit code 1, an unknown one exit code 2',
  async ({ testApp }) => {
    const commands = collectCommands(
      modules,
      ownCommands({ commands: () => commands } as OwnCommandOptions),
    )
    const run = (...line: string[]) => runCommand(testApp.app, commands, line)
    deepEqual(await run('user', 'show', '999999'), {
      exit_code: 1,
      answer: { error: 'Not found', refusal: 'not_found' },
    })
    equal((await run('fly')).exit_code, 2)
    equal((await run('jobs', 'run', 'nothing')).exit_code, 1)
    match(JSON.stringify((await run('help')).answer), /user add/)
  },
)

story('an operator adds users who can sign in immediately', async ({ testApp }) => {
  const { id, ref_code, token } = await testApp.duet<{
    id: number
    ref_code: string
    token: string
  }>(
    'user',
    'add',
    '--role',
    'girl',
    '--nick',
    'Olga',
    '--email',
    'olga@duet.example',
    '--password',
    'olga-secret-1',
    '--verified',
  )
  match(ref_code, /^[A-Z2-9]{10}$/)
  const olga = testApp.user('Olga', token)
  await olga.auth()
  equal(olga.id, id)
})

import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deepEqual, equal } from 'node:assert/strict'
import { collectCommands, runCommand } from '../../platform/operator/commands.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { addMember, PORTRAITS_FOLDER } from './index.ts'

const olga = ['--nick', 'Olga', '--email', 'olga@duet.example', '--password', 'olga-secret-1']
const line = ['user', 'add', '--role', 'girl', ...olga, '--avatar']

async function files(testApp: TestApp): Promise<string[]> {
  const folder = join(testApp.config.data_dir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

story('no transaction is open while a picture is encoded', async ({ testApp }) => {
  const { pool } = testApp.database
  const { images } = testApp.app
  const open: number[] = []
  const app = {
    ...testApp.app,
    images: {
      ...images,
      encode(bytes: Uint8Array) {
        open.push(pool.totalCount - pool.idleCount)
        return images.encode(bytes)
      },
    },
  }
  await addMember(app, {
    role: 'girl',
    nick: 'Olga',
    email: 'olga@duet.example',
    password: 'olga-secret-1',
    avatar: 'demo',
  })
  deepEqual(open, [0])
})

story('a refused member leaves no file of a picture', async ({ testApp }) => {
  await testApp.duet(...line, 'demo')
  const stored = await files(testApp)
  const { exit_code, answer } = await runCommand(
    testApp.app,
    collectCommands(testApp.running.modules, {}),
    [...line, 'demo'],
  )
  equal(exit_code, 1)
  equal((answer as { refusal?: string }).refusal, 'email_used')
  deepEqual(await files(testApp), stored)
})

story('a relative picture starts in the directory of the operator', async ({ testApp }) => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-operator-'))
  try {
    await copyFile(join(PORTRAITS_FOLDER, 'vera.webp'), join(folder, 'olga.webp'))
    const commands = collectCommands(testApp.running.modules, {})
    const { answer } = await runCommand(testApp.app, commands, [...line, 'olga.webp'], folder)
    const { token } = answer as { token: string }
    equal((await testApp.user('olga', token).auth()).user.avatar_status, 'ready')
  } finally {
    await rm(folder, { recursive: true })
  }
})

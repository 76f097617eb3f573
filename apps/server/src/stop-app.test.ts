import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { module } from '@duet/server/core/module.ts'
import { modules } from '@duet/server/modules.ts'
import { openTestApp } from '@duet/testkit/test-app.ts'

test('a module that fails to stop does not keep the others, the listener and the outbox running', async () => {
  const stopped: string[] = []
  const first = module('audit', { start: async () => () => void stopped.push('first') })
  const failing = module('support', {
    start: async () => () => {
      stopped.push('failing')
      throw new Error('does not stop')
    },
  })
  const testApp = await openTestApp({ modules: [...modules, first, failing] })
  const { origin } = testApp
  equal((await fetch(`${origin}/api/health`)).status, 200)
  await testApp.close()
  deepEqual(stopped, ['failing', 'first'])
  await rejects(fetch(`${origin}/api/health`))
})

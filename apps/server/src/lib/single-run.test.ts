import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { singleRun } from './single-run.ts'

test('work that is not over is joined, and runs again afterwards, also after a failure', async () => {
  const runs: { resolve: () => void; reject: (error: Error) => void }[] = []
  const run = singleRun(() => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    runs.push({ resolve, reject })
    return promise
  })
  const both = Promise.all([run(), run()])
  equal(runs.length, 1)
  runs[0]!.resolve()
  await both
  const failing = run()
  equal(runs.length, 2)
  runs[1]!.reject(new Error('no'))
  await rejects(failing, /no/)
  void run()
  equal(runs.length, 3)
})

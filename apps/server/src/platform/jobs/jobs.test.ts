import { deepEqual, equal, rejects } from 'node:assert/strict'
import { story, together } from '@duet/testkit/test-app.ts'
import { module } from '../../core/module.ts'
import { modules } from '../../modules.ts'
import { once } from './jobs.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

let ran = 0
const counting = module('audit', {
  jobs: {
    'count by hand': { summary: 'Counts.', run: async () => void (ran += 1) },
    'count at night': {
      summary: 'Counts at night.',
      cron: '0 3 * * *',
      run: async () => void (ran += 1),
    },
    'count and fail': { summary: 'Fails.', run: () => Promise.reject(new Error('no')) },
  },
})
const counted = story.with({ modules: [...modules, counting] })

counted('a job runs by its name and throws its error to the caller', async ({ testApp }) => {
  const before = ran
  await testApp.app.jobs.run('count by hand')
  equal(ran, before + 1)
  await rejects(testApp.app.jobs.run('count and fail'), /no/)
  await rejects(testApp.app.jobs.run('nothing'), /Impossible/)
})

counted(
  'jobs are scheduled in the product’s zone, and jobs that are no longer defined are unscheduled',
  async ({ testApp }) => {
    const { jobs } = testApp.app
    await jobs.start()
    try {
      const rows = await runAsOwner(
        testApp.database,
        `select name, cron, timezone from pgboss.schedule where name like 'count%'`,
      )
      deepEqual(rows, [{ name: 'count/at/night', cron: '0 3 * * *', timezone: 'Etc/GMT-3' }])
    } finally {
      await jobs.stop()
    }
  },
)

story('of many runs of a job for one period only one has an effect', async ({ testApp }) => {
  const claimed = await together(20, () =>
    testApp.app.transact((tx) => once(tx, 'payout', '2030-W10')),
  )
  equal(claimed.filter(Boolean).length, 1)
  equal(await testApp.app.transact((tx) => once(tx, 'payout', '2030-W11')), true)
})

story('a failed run releases its period', async ({ testApp }) => {
  await rejects(
    testApp.app.transact(async (tx) => {
      await once(tx, 'payout', '2030-W10')
      throw new Error('half way')
    }),
    /half way/,
  )
  equal(await testApp.app.transact((tx) => once(tx, 'payout', '2030-W10')), true)
})

import { equal, rejects } from 'node:assert/strict'
import { story, together } from '@duet/testkit/test-app.ts'
import type { App } from '../../core/app.ts'
import { module } from '../../core/module.ts'
import { modules } from '../../modules.ts'
import { createPendingWork } from '../pending-work.ts'
import { createJobs, once } from './jobs.ts'

let ran = 0
const counting = module('audit', {
  jobs: {
    'count by hand': { summary: 'Counts.', run: async () => void (ran += 1) },
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

/** The timetable of one server process, with one job at night. */
function createTimetable(app: App, run: () => void) {
  const jobs = createJobs(() => app, createPendingWork())
  jobs.define('count at night', { summary: '', cron: '0 3 * * *', run: async () => run() })
  return jobs
}

story('a job runs at its time in the product’s zone, once for each day', async ({ testApp }) => {
  let runs = 0
  const jobs = createTimetable(testApp.app, () => (runs += 1))
  await jobs.start()
  try {
    // The clock of a test begins at noon of the product’s zone.
    await testApp.leap('14 h')
    await testApp.leap('59 min')
    equal(runs, 0)
    await testApp.leap('1 min')
    await testApp.leap('23 h')
    equal(runs, 1)
    await testApp.leap('1 h')
    equal(runs, 2)
  } finally {
    await jobs.stop()
  }
})

story('of many server processes only one runs a job that is due', async ({ testApp }) => {
  let runs = 0
  const processes = [1, 2, 3].map(() => createTimetable(testApp.app, () => (runs += 1)))
  for (const jobs of processes) await jobs.start()
  try {
    await testApp.leap('15 h')
    equal(runs, 1)
  } finally {
    for (const jobs of processes) await jobs.stop()
  }
})

story('a claim of a time far ahead does not stop a job', async ({ testApp }) => {
  let runs = 0
  const processes = [1, 2, 3].map(() => createTimetable(testApp.app, () => (runs += 1)))
  for (const jobs of processes) await jobs.start()
  const claimed = (due_at: Temporal.Instant) =>
    testApp.app.db
      .insertInto('job_runs')
      .values({ job: 'count at night', due_at })
      .onConflict((conflict) => conflict.column('job').doUpdateSet({ due_at }))
      .execute()
  try {
    await claimed(testApp.clock.now().add({ hours: 24 * 365 }))
    await testApp.leap('15 h')
    equal(runs, 1)
    await testApp.leap('24 h')
    equal(runs, 2)
    // A process whose clock is a little ahead has claimed the night that comes.
    await claimed(testApp.clock.now().add({ hours: 24 }).round({ smallestUnit: 'hour' }))
    await testApp.leap('24 h')
    equal(runs, 2)
  } finally {
    for (const jobs of processes) await jobs.stop()
  }
})

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

import { deepEqual } from 'node:assert/strict'
import { createFakeClock } from '@duet/testkit/fake-clock.ts'
import { story } from '@duet/testkit/test-app.ts'
import { plusMs } from '../../lib/clock.ts'
import { createProcessOwner } from './process-owner.ts'

story(
  'a server process warns about another one of the same database whose clock is ahead',
  async ({ testApp }) => {
    async function listWarnings(aheadMs: number): Promise<unknown[]> {
      const warnings: unknown[] = []
      const clock = createFakeClock()
      clock.sleep(plusMs(testApp.clock.now(), aheadMs))
      const owner = createProcessOwner({
        db: testApp.app.db,
        connection: testApp.database.connection,
        clock,
        log: { warn: (context) => warnings.push(context) },
      })
      await owner.start()
      await owner.stop()
      return warnings
    }
    await testApp.advance('1 min')
    deepEqual(await listWarnings(0), [])
    deepEqual(await listWarnings(-2_000), [])
    // The test app renews its lease every five seconds of its clock. This process is behind that clock.
    deepEqual(await listWarnings(-20_000), [{ ahead_ms: 20_000 }])
    deepEqual(await listWarnings(20_000), [])
  },
)

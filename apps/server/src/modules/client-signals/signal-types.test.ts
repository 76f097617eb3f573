import { deepEqual } from 'node:assert/strict'
import office from '@duet/locales/en/office.json' with { type: 'json' }
import { story } from '@duet/testkit/test-app.ts'
import { signalTypes } from './signal-types.ts'

story('the database and the office know every type of signal', async ({ testApp }) => {
  const types = signalTypes.map(({ signal }) => signal).toSorted()
  const { rows } = await testApp.database.pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'client_signals_signal_check'`,
  )
  const stored = [...rows[0]!.definition.matchAll(/'(\w+)'::text/g)].map(([, name]) => name)
  deepEqual(stored.toSorted(), types)
  deepEqual(
    types.filter((type) => !Object.hasOwn(office, `office.signal.${type}`)),
    [],
  )
})

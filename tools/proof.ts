/**
 * `npm run proof [name …]`: the long forms of tests/proof, and of the laws and the journeys that have a long
 * form. The short forms run in `npm test`. The seed is random and printed: `SEED` repeats a run.
 */
import { runScripts } from './run-scripts.ts'

process.env.PROOF = 'long'
process.env.SEED ??= String(Date.now() % 1_000_000)
const LAWS = 'crowd|dialogs|exclusivity|exclusivity-rules|ledger-sets|messages|signals'
const JOURNEYS = 'hostile-texts|lossy-calls|metered-calls|relay-calls'
const LONG_FORMS = new RegExp(
  `^tests/(?:proof|laws(?=/(?:${LAWS})\\.)|journeys(?=/(?:${JOURNEYS})\\.))/([^/]+)\\.test\\.ts$`,
)
console.log(`SEED=${process.env.SEED}`)
process.exit(runScripts('proof', LONG_FORMS, process.argv.slice(2)))

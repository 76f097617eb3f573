/**
 * `npm run proof [name …]`: the long forms of tests/proof, and of the journey that has a long form. The
 * short forms run in `npm test`.
 */
import { runScripts } from './run-scripts.ts'

process.env.PROOF = 'long'
const LONG_FORMS = /^tests\/(?:proof|journeys(?=\/hostile-texts\.))\/([^/]+)\.test\.ts$/
process.exit(runScripts('proof', LONG_FORMS, process.argv.slice(2)))

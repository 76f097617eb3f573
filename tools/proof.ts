/** `npm run proof [name …]`: the long forms of tests/proof; the short ones run in `npm test`. */
import { runScripts } from './run-scripts.ts'

process.env.PROOF = 'long'
process.exit(runScripts('proof', /^tests\/proof\/([^/]+)\.test\.ts$/, process.argv.slice(2)))

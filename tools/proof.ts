/** `npm run proof [name …]`: the long forms of tests/proof; the short ones run in `npm test`. */
import { runPrograms } from './programs.ts'

process.env.PROOF = 'long'
process.exit(runPrograms('proof', /^tests\/proof\/([^/]+)\.test\.ts$/, process.argv.slice(2)))

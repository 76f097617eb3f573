/** `npm run bench [name …]`: every program in bench/, one after the other, each printing ratios beside a baseline of its own run. */
import { runScripts } from './run-scripts.ts'
import { CHROMIUM, installWhereRoot, packageComplaints, PGBENCH } from './system-packages.ts'

installWhereRoot([CHROMIUM, PGBENCH])
const { failures, notes } = packageComplaints([CHROMIUM, PGBENCH])
for (const sentence of [...failures, ...notes]) console.error(`duet: ${sentence}`)
process.exit(runScripts('bench', /^bench\/([^/]+?)(?:\/main)?\.ts$/, process.argv.slice(2)))

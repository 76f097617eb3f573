/** `npm run bench [name …]`: every program in bench/, one after the other, each printing ratios beside a baseline of its own run. */
import { ensurePackages, CHROMIUM, PGBENCH } from './test/debian.ts'
import { runScripts } from './run-scripts.ts'

await ensurePackages([CHROMIUM, PGBENCH], (line) => console.error(`duet: ${line}`))
process.exit(runScripts('bench', /^bench\/([^/]+?)(?:\/main)?\.ts$/, process.argv.slice(2)))

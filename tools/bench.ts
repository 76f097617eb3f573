/** `npm run bench [name …]`: every program in bench/, one after the other, each printing ratios beside a baseline of its own run. */
import { ensurePackages, CHROMIUM, PGBENCH } from './test/debian.ts'
import { runPrograms } from './programs.ts'

await ensurePackages([CHROMIUM, PGBENCH], (line) => console.error(`duet: ${line}`))
process.exit(runPrograms('bench', /^bench\/([^/]+?)(?:\/main)?\.ts$/, process.argv.slice(2)))

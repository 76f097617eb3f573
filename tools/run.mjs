/**
 * The entry point of every npm script: `node tools/run.mjs <command> [args]`.
 *
 * On a fresh clone nothing is installed, and npm may use any Node from version 20. So this file is plain
 * JavaScript without dependencies. It makes node_modules match package-lock.json, then continues with the
 * Node of the project.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceProcess } from './exec.mjs'
import { ensureInstalled, Unusable } from './install.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const COMMANDS = {
  start: {
    file: 'tools/start.ts',
    says: 'build what changed, then serve everything at http://localhost:3000',
  },
  test: {
    file: 'tools/test/main.ts',
    says: 'everything that must hold; `-- unit` runs one step, `-- --list` names them',
  },
  check: {
    file: 'tools/test/main.ts',
    args: ['checks'],
    says: 'formatting, lint, types, import rules, dead code, generated files',
  },
  gen: { file: 'tools/gen.ts', says: 'write every generated file' },
  bench: {
    file: 'tools/bench.ts',
    says: 'ratios beside a baseline of the same run; `-- ledger` runs one',
  },
  proof: {
    file: 'tools/proof.ts',
    says: 'the long forms of the kill, race, fuzz and masking proofs; `-- kill` runs one',
  },
  duet: { file: 'apps/server/src/cli.ts', says: "the operator's shell of a running installation" },
  'system-packages': {
    file: 'tools/system-packages.ts',
    says: 'as root on Debian: install the system packages that tests and benches need',
  },
}

function usage() {
  const lines = Object.entries(COMMANDS).map(
    ([name, { says }]) => `  npm run ${name.padEnd(15)} ${says}`,
  )
  return ['Usage: npm run <command> [-- arguments]', '', ...lines].join('\n')
}

const [name, ...args] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name ?? '') ? COMMANDS[name] : undefined

if (!command) {
  console.error(usage())
  process.exit(name === undefined || name === '--help' ? 0 : 2)
}

try {
  const node = ensureInstalled(ROOT)
  const file = join(ROOT, command.file)
  if (!existsSync(file))
    throw new Unusable(
      `This checkout has no ${command.file} yet, so \`npm run ${name}\` has nothing to run.`,
    )
  await replaceProcess(node, [file, ...(command.args ?? []), ...args])
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  console.error(`duet: ${error.message}`)
  process.exit(1)
}

/** `npm test`: everything that must hold, stage by stage, closed by one line `N passed, N failed`. */
import { ensurePackages } from './debian.ts'
import { added, closingLine, exitCode, failed, nothing, type Outcome } from './outcome.ts'
import { run } from './program.ts'
import { ROOT } from '../tree.ts'
import { chooseStages, STAGES, type Stage } from './stages.ts'

const DETAIL_LIMIT_CHARACTERS = 12_000

const args = process.argv.slice(2)
if (args.includes('--list')) {
  for (const { name, group, says } of STAGES)
    console.log(`${name.padEnd(10)} ${group.padEnd(7)} ${says}`)
  process.exit(0)
}

if (args.includes('--fix')) {
  await run('node_modules/.bin/oxlint', ['--fix', '--quiet'], { cwd: ROOT })
  await run('node_modules/.bin/oxfmt', ['.'], { cwd: ROOT })
}

const { stages, filters } = chooseStages(args.filter((arg) => !arg.startsWith('--')))
const started = Date.now()
let all = nothing()

const needed = [...new Set(stages.flatMap(({ needs }) => needs ?? []))]
for (const sentence of await ensurePackages(needed, say))
  all = added(all, failed('what the machine must have', sentence))

for (const stage of stages) all = added(all, await runStage(stage))

report(all)
process.exit(exitCode(all))

async function runStage(stage: Stage): Promise<Outcome> {
  process.stdout.write(`${stage.name.padEnd(10)} ${stage.says} …\n`)
  const began = Date.now()
  const signal = AbortSignal.timeout(stage.limit_ms)
  const outcome = await attempt(stage, signal)
  const counts =
    outcome.passed + outcome.failed + outcome.skipped === 0
      ? 'nothing to run'
      : closingLine(outcome).replace(' passed', ' ok')
  console.log(
    `${outcome.failed > 0 ? '✗' : '✓'} ${stage.name.padEnd(8)} ${counts} (${seconds(began)})`,
  )
  for (const note of outcome.notes) console.log(`  ${note}`)
  return {
    ...outcome,
    failures: outcome.failures.map(({ name, detail }) => ({
      name: `${stage.name} · ${name}`,
      detail,
    })),
  }
}

async function attempt(stage: Stage, signal: AbortSignal): Promise<Outcome> {
  try {
    return await stage.run({ filters, signal, say })
  } catch (error) {
    const reason = signal.aborted ? 'stopped after its time limit\n' : ''
    return failed(
      'the stage itself',
      `${reason}${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
}

function report(outcome: Outcome): void {
  for (const { name, detail } of outcome.failures) {
    console.log(`\n✗ ${name}`)
    console.log(indented(detail))
  }
  if (outcome.passed + outcome.failed === 0)
    console.log('\nNo test ran, which proves nothing: this is a failure.')
  console.log(`\nin ${seconds(started)}\n`)
  console.log(closingLine(outcome))
}

function indented(detail: string): string {
  const short =
    detail.length > DETAIL_LIMIT_CHARACTERS
      ? `${detail.slice(0, DETAIL_LIMIT_CHARACTERS)}\n… and more`
      : detail
  return short.replaceAll(/^/gm, '    ')
}

function say(line: string): void {
  console.log(line.startsWith(' ') ? line : `  ${line}`)
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}

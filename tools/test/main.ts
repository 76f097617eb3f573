/** `npm test`: everything that must hold, step by step, closed by one line `N passed, N failed`. */
import { join } from 'node:path'
import { merge, closingLine, exitCode, failed, nothing, type TestResult } from './result.ts'
import { run } from './program.ts'
import { installWhereRoot, packageComplaints } from '../system-packages.ts'
import { ROOT } from '../tree.ts'
import { chooseSteps, STEPS, type TestStep } from './steps.ts'

const DETAIL_LIMIT_CHARACTERS = 12_000

const args = process.argv.slice(2)
if (args.includes('--list')) {
  for (const { name, group, says } of STEPS)
    console.log(`${name.padEnd(10)} ${group.padEnd(7)} ${says}`)
  process.exit(0)
}

if (args.includes('--fix')) {
  await run('node_modules/.bin/oxlint', ['--fix', '--quiet'], { cwd: ROOT })
  await run('node_modules/.bin/oxfmt', ['.'], { cwd: ROOT })
}

const { steps, filters } = chooseSteps(args.filter((arg) => !arg.startsWith('--')))
const started = Date.now()
let all = nothing()
// Every test process compiles the same modules. Later processes, and the servers that tests start, use what
// the first process compiled.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules/.cache/compile')

installWhereRoot([...new Set(steps.flatMap(({ needs }) => needs ?? []))])

let beside: Promise<TestResult> | undefined
for (const [place, step] of steps.entries()) {
  const result = runStep(step)
  if (step.waits && place + 1 < steps.length) {
    beside = result
    continue
  }
  all = merge(all, await result)
  if (beside) all = merge(all, await beside)
  beside = undefined
}

report(all)
process.exit(exitCode(all))

async function runStep(step: TestStep): Promise<TestResult> {
  process.stdout.write(`${step.name.padEnd(10)} ${step.says} …\n`)
  const began = Date.now()
  const signal = AbortSignal.timeout(step.limit_ms)
  const result = await attempt(step, signal)
  const counts =
    result.passed + result.failed + result.skipped === 0
      ? 'nothing to run'
      : closingLine(result).replace(' passed', ' ok')
  console.log(
    `${result.failed > 0 ? '✗' : '✓'} ${step.name.padEnd(8)} ${counts} (${seconds(began)})`,
  )
  for (const note of result.notes) console.log(`  ${note}`)
  return {
    ...result,
    failures: result.failures.map(({ name, detail }) => ({
      name: `${step.name} · ${name}`,
      detail,
    })),
  }
}

async function attempt(step: TestStep, signal: AbortSignal): Promise<TestResult> {
  try {
    const { failures, notes } = packageComplaints(step.needs ?? [])
    if (failures.length > 0) return failed('packages of the system', failures.join('\n'))
    return merge(nothing(...notes), await step.run({ filters, signal, say }))
  } catch (error) {
    const reason = signal.aborted ? 'stopped after its time limit\n' : ''
    return failed(
      'the step itself',
      `${reason}${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
  }
}

function report(result: TestResult): void {
  for (const { name, detail } of result.failures) {
    console.log(`\n✗ ${name}`)
    console.log(indented(detail))
  }
  if (result.passed + result.failed === 0)
    console.log('\nNo test ran, which proves nothing: this is a failure.')
  console.log(`\nin ${seconds(started)}\n`)
  console.log(closingLine(result))
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

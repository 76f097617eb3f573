import { mkdirSync, readFileSync, existsSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { failed, nothing, type TestResult } from './result.ts'
import { run } from './program.ts'

interface Report {
  testResults: { name: string; message?: string; status: string; assertionResults: Assertion[] }[]
}
interface Assertion {
  fullName: string
  status: string
  failureMessages: string[] | null
}

/** Runs Vitest in one workspace and counts every single test. */
export async function runVitest(
  root: string,
  workspace: string,
  filters: string[],
  signal: AbortSignal,
): Promise<TestResult> {
  const cwd = join(root, workspace)
  const file = join(root, 'node_modules/.cache/vitest', `${workspace.replaceAll('/', '-')}.json`)
  mkdirSync(dirname(file), { recursive: true })
  rmSync(file, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const args = [
    vitest,
    'run',
    '--passWithNoTests',
    '--reporter=json',
    `--outputFile=${file}`,
    '--maxWorkers=2',
    ...filters,
  ]
  const ended = await run(process.execPath, args, { cwd, signal })
  if (!existsSync(file)) {
    return ended.code === 0
      ? nothing('no test files')
      : failed(`${workspace}: Vitest did not run`, ended.output)
  }
  const outcome = readReport(JSON.parse(readFileSync(file, 'utf8')) as Report, root)
  // Unhandled errors and rejections fail Vitest's exit code without failing a test.
  if (ended.code !== 0 && outcome.failed === 0) {
    return {
      ...outcome,
      failed: 1,
      failures: [{ name: `${workspace}: Vitest as a whole`, detail: ended.output }],
    }
  }
  return outcome
}

export function readReport(report: Report, root: string): TestResult {
  const outcome = nothing()
  for (const result of report.testResults) {
    const where = relative(root, result.name)
    if (result.status === 'failed' && result.assertionResults.length === 0) {
      outcome.failed += 1
      outcome.failures.push({ name: `${where}: the file as a whole`, detail: result.message ?? '' })
    }
    for (const assertion of result.assertionResults) {
      if (assertion.status === 'passed') outcome.passed += 1
      else if (assertion.status !== 'failed') outcome.skipped += 1
      else {
        outcome.failed += 1
        outcome.failures.push({
          name: `${where}: ${assertion.fullName}`,
          detail: (assertion.failureMessages ?? []).join('\n'),
        })
      }
    }
  }
  return outcome
}

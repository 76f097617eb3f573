/** The result of one step of `npm test`. A check counts as one test, a step of tests as many as it ran. */
export interface TestResult {
  passed: number
  failed: number
  skipped: number
  failures: TestFailure[]
  /** Lines worth reading even when all is well: measured delays, what was left out. */
  notes: string[]
}

export interface TestFailure {
  name: string
  detail: string
}

export function nothing(...notes: string[]): TestResult {
  return { passed: 0, failed: 0, skipped: 0, failures: [], notes }
}

export function passed(...notes: string[]): TestResult {
  return { ...nothing(...notes), passed: 1 }
}

export function failed(name: string, detail: string): TestResult {
  return { ...nothing(), failed: 1, failures: [{ name, detail }] }
}

export function merge(all: TestResult, one: TestResult): TestResult {
  return {
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    skipped: all.skipped + one.skipped,
    failures: [...all.failures, ...one.failures],
    notes: [...all.notes, ...one.notes],
  }
}

/** A check without complaints passes. */
export function toResult(name: string, complaints: string[]): TestResult {
  return complaints.length === 0
    ? passed()
    : failed(`${name}: ${complaints.length} complaints`, complaints.join('\n'))
}

/** The plain closing line, alone on its line, that CI reads. */
export function closingLine(all: TestResult): string {
  const skipped = all.skipped > 0 ? `, ${all.skipped} skipped` : ''
  return `${all.passed} passed, ${all.failed} failed${skipped}`
}

/** A run in which nothing ran proves nothing, so it fails. */
export function exitCode(all: TestResult): number {
  return all.failed > 0 || all.passed === 0 ? 1 : 0
}

/** What one stage of `npm test` found. A check counts as one test, a test runner's stage as many as it ran. */
export type Outcome = {
  passed: number
  failed: number
  skipped: number
  failures: Failure[]
  /** Lines worth reading even when all is well: measured delays, what was left out. */
  notes: string[]
}

export type Failure = { name: string; detail: string }

export function nothing(...notes: string[]): Outcome {
  return { passed: 0, failed: 0, skipped: 0, failures: [], notes }
}

export function passed(...notes: string[]): Outcome {
  return { ...nothing(...notes), passed: 1 }
}

export function failed(name: string, detail: string): Outcome {
  return { ...nothing(), failed: 1, failures: [{ name, detail }] }
}

export function added(all: Outcome, one: Outcome): Outcome {
  return {
    passed: all.passed + one.passed,
    failed: all.failed + one.failed,
    skipped: all.skipped + one.skipped,
    failures: [...all.failures, ...one.failures],
    notes: [...all.notes, ...one.notes],
  }
}

/** The check passes when nobody has anything to complain about. */
export function complaintsOutcome(name: string, complaints: string[]): Outcome {
  return complaints.length === 0
    ? passed()
    : failed(`${name}: ${complaints.length} complaints`, complaints.join('\n'))
}

/** The plain closing line, alone on its line, that CI reads. */
export function closingLine(all: Outcome): string {
  const skipped = all.skipped > 0 ? `, ${all.skipped} skipped` : ''
  return `${all.passed} passed, ${all.failed} failed${skipped}`
}

/** A run in which nothing ran proves nothing, so it fails. */
export function exitCode(all: Outcome): number {
  return all.failed > 0 || all.passed === 0 ? 1 : 0
}

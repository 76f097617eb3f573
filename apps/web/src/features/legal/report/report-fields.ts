import { t, type TextId } from '../../../shared/i18n.ts'

export interface FieldRule {
  readonly kind: 'email' | 'text' | 'choice' | 'agreement'
  readonly most: number
  readonly isOptional?: boolean
  readonly least?: number
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

const MISSING = {
  email: 'report.problem.email',
  text: 'report.problem.missing',
  choice: 'report.problem.choice',
  agreement: 'report.problem.agreement',
} as const satisfies Record<FieldRule['kind'], TextId>

/** The sentence about a field that cannot be sent. */
export function findProblem(rule: FieldRule, value: string): string | undefined {
  const { kind, most, isOptional = false, least = 1 } = rule
  const text = value.trim()
  const length = [...text].length
  if (length === 0) return isOptional ? undefined : t(MISSING[kind])
  if (length < least) return t('report.problem.short', { least })
  if (length > most) return t('report.problem.long', { most })
  if (kind === 'email' && !EMAIL.test(text)) return t('report.problem.email')
  return undefined
}

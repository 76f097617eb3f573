import { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import { refuse } from '../../lib/refusal.ts'

/** The verdict that an operator names. Refuses invalid. */
export function verdictNamed(reason: string | true): string {
  const verdict = PhotoVerdict.safeParse(reason)
  if (verdict.success) return verdict.data
  const message = `The reason is one of ${PhotoVerdict.options.join(', ')}`
  return refuse('invalid', { fields: [{ path: 'reason', message }] })
}

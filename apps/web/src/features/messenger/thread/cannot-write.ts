import type { CanWrite } from '@duet/protocol'
import { refusalOfCode } from '@duet/protocol/kernel/refusals.ts'

const REASONS = {
  message_limit: 'message_limit',
  no_first_write: 'no_first_write',
  no_balance: 'no_balance',
  blocked: 'blocked',
  premium_only: 'premium_only',
} as const

/** Names the texts that say why nothing can be written. */
export function cannotWriteReason({ code }: Pick<CanWrite, 'code'>) {
  const name = code === undefined ? 'blocked' : refusalOfCode(code)
  return REASONS[name as keyof typeof REASONS] ?? 'other'
}

/**
 * The process of the companions: demo users who are played by the server. Each companion is an ordinary client of the
 * wire. The server starts this process in the demo installation only, and gives it no environment and no secret.
 */
import { Companion } from './companion.ts'
import type { CompanionOrder, CompanionReport } from './orders.ts'

const companions = new Map<string, Companion>()

process.on('message', (order: CompanionOrder) => {
  if (order.type === 'leave') return void companions.get(order.tab_id)?.leave()
  const { user_id, tab_id } = order
  const companion = new Companion(order, (problem) => {
    companions.delete(tab_id)
    const report: CompanionReport = {
      type: 'over',
      user_id,
      tab_id,
      ...(problem !== undefined && { problem }),
    }
    process.send?.(report)
  })
  companions.set(tab_id, companion)
  companion.start()
})
// One connection that fails must not end the calls of the other companions.
process.on('unhandledRejection', (error) => console.error('duet: a companion failed:', error))
// The server is gone.
process.on('disconnect', () => process.exit())

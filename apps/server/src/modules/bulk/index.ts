/**
 * Bulk acts: one person alone does not ban, fine, remove, dismiss, approve or move money for many users at once.
 *
 * Tables         bulk_acts (for the window only), bulk_stops
 * Does not know  the acts: their modules call `checkBulk` in the transaction of each
 * Invariants     a person who did as many acts of a kind as allowed in the window does no more until another one allows it (R6)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { impersonalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import { allowStop, listStops } from './stops.ts'

/** The longest window is a day. */
const ACT_DAYS = 2

export const bulk = module('bulk', {
  endpoints: {
    'GET v2/manager/bulk-stops': listStops,
    'POST v2/manager/bulk-stops/{id}/allow': allowStop,
  } satisfies EndpointsOf<'bulk'>,
  commands,
  personalData: {
    tables: [
      impersonalTable('bulk_acts', 'numbers of acts of staff'),
      impersonalTable('bulk_stops', 'numbers of acts of staff'),
    ],
  },
  retention: [
    deleteRows('bulk_acts', 'at', () => ACT_DAYS),
    deleteRows('bulk_stops', 'allowed_at', (context) => setting(context, 'kyc_record_days')),
  ],
})

export { checkBulk } from './check-bulk.ts'

import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { useSellsPremium } from '../../../shared/queries.ts'
import { BillingDialog } from './billing-dialog.tsx'
import { DemoMinutesDialog } from './demo-minutes-dialog.tsx'

/** Not enough minutes, or more of them: the shop, or free minutes in a demo installation without a shop. */
export function NotBalanceDialog(props: OpenDialogProps<'not_balance'>) {
  return useSellsPremium() ? <BillingDialog {...props} /> : <DemoMinutesDialog {...props} />
}

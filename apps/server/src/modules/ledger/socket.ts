import type { ActionsOf } from '../../core/module.ts'
import { confirmNotice } from './confirm-notice.ts'

export const actions = { NEW_BALANCE_INFO_GOT: confirmNotice } satisfies ActionsOf<'ledger'>

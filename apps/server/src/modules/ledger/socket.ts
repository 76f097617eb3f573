import type { ActionsOf } from '../../core/module.ts'
import { gotNotice } from './notices.ts'

export const actions = { NEW_BALANCE_INFO_GOT: gotNotice } satisfies ActionsOf<'ledger'>

import type { Call } from './rules/call.ts'

/** The hold of a call, and the totals that are posted so far. */
export interface CallMoney {
  readonly hold_id: number | null
  readonly held_units: bigint
  readonly posted_his: bigint
  readonly posted_hers: bigint
  /** Numbers the ledger keys, so that each step of a call happens once. */
  readonly money_step: number
}

/** A call as its row stores it: the record of the rules, and its money. */
export interface StoredCall {
  readonly call: Call
  readonly money: CallMoney
}

export const NO_MONEY: CallMoney = {
  hold_id: null,
  held_units: 0n,
  posted_his: 0n,
  posted_hers: 0n,
  money_step: 0,
}

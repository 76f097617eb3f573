import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Asset } from '../../lib/money.ts'
import type { RowKeys } from '../../core/tables.gen.ts'
import { type Account, accountId } from './account.ts'

/** Why money moved: a call, a gift, a message, an order. `note` is the operator's reason. */
export interface Cause {
  readonly kind: string
  readonly id?: number
  readonly note?: string
}

/**
 * One transfer. A key with the same parameters moves money once. A key with other parameters is refused.
 * Keys that begin with a growing number (`call:7:…`) touch few pages of the index, which stay cached.
 */
export interface Movement {
  readonly key: string
  readonly asset: Asset
  readonly from: Account
  readonly to: Account
  /** In the asset's smallest unit, more than 0. */
  readonly amount: bigint
  /** The reason of the movement in one word: `call`, `gift`, `grant`. */
  readonly what: string
  readonly cause: Cause
}

export interface HoldOpening {
  readonly key: string
  readonly user_id: UserId
  readonly asset: Asset
  readonly amount: bigint
  /** If given, the hold is the most that is affordable, in whole multiples of this, up to `amount`. */
  readonly step?: bigint
  readonly what: string
  readonly cause: Cause
}

export interface HoldPosting {
  readonly key: string
  readonly hold_id: number
  /** The units taken out of the hold; 0n when nothing was used: without `keep` the hold is then voided. */
  readonly amount: bigint
  readonly to: Account
  readonly asset: Asset
  readonly what: string
  readonly cause: Cause
  /** Keeps the most that is affordable in multiples of `step`, up to this. Without it the hold is closed. */
  readonly keep?: bigint
  readonly step?: bigint
}

export type LedgerStep =
  | { readonly move: Movement }
  | { readonly open: HoldOpening }
  | { readonly post: HoldPosting }

/** Linked steps: all of them happen, or nothing happens. */
export type Group = readonly LedgerStep[]

export const GROUP_STEPS_MAX = 1_000
const KEY_CHARACTERS_MAX = 200

/** The JSON of the groups that `ledger_apply` reads. Built by hand, because it is the most frequent text of the server. */
export function encode(groups: readonly Group[]): string {
  const encoded: string[] = []
  groups.forEach((group, g) => {
    assert(
      group.length > 0 && group.length <= GROUP_STEPS_MAX,
      `a group links 1 to ${GROUP_STEPS_MAX} steps`,
    )
    for (const step of group) encoded.push(`{"g":${g},${encodeStep(step)}}`)
  })
  return `[${encoded.join(',')}]`
}

function encodeStep(step: LedgerStep): string {
  if ('move' in step) {
    const { key, asset, from, to, amount, what, cause } = step.move
    assert(amount > 0n, 'a movement moves something')
    return `"op":"move",${keyField(key)},"debit":${accountId(from, asset)},"credit":${accountId(to, asset)},"amount":${amount},${causeFields(what, cause)}`
  }
  if ('open' in step) {
    const { key, user_id, asset, amount, step: unit, what, cause } = step.open
    assert(amount > 0n && (unit === undefined || unit > 0n), 'a hold holds something')
    return `"op":"open",${keyField(key)},"debit":${accountId({ user_id }, asset)},"amount":${amount}${optionalField('unit', unit)},${causeFields(what, cause)}`
  }
  const { key, hold_id, amount, to, asset, what, cause, keep, step: unit } = step.post
  assert(amount >= 0n && (keep === undefined || keep > 0n), 'a posting takes nothing back')
  return `"op":"post",${keyField(key)},"hold_id":${hold_id},"credit":${accountId(to, asset)},"amount":${amount}${optionalField('keep', keep)}${optionalField('unit', unit)},${causeFields(what, cause)}`
}

function keyField(key: string): string {
  assert(
    key.length > 0 && key.length <= KEY_CHARACTERS_MAX,
    `a key has 1 to ${KEY_CHARACTERS_MAX} characters`,
  )
  return `"key":${JSON.stringify(key)}`
}

function causeFields(what: string, { kind, id, note }: Cause): string {
  return `"what":${JSON.stringify(what)},"cause":${JSON.stringify(kind)}${optionalField('cause_id', id)}${note === undefined ? '' : `,"note":${JSON.stringify(note)}`}`
}

function optionalField(name: RowKeys['ledger_step'], value: bigint | number | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`
}

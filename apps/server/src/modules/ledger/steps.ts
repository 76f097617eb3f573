import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Asset } from '../../lib/money.ts'
import { type Account, accountId } from './account.ts'

/** Why money moved, for people: a call, a gift, a message, an order. `note` is the operator's reason. */
export interface Cause {
  readonly kind: string
  readonly id?: number
  readonly note?: string
}

/**
 * One transfer. The same key with the same parameters moves once, ever; with others it is refused.
 * Keys that begin with what grows with time (`call:7:…`) keep the index of keys small in the cache.
 */
export interface Movement {
  readonly key: string
  readonly asset: Asset
  readonly from: Account
  readonly to: Account
  /** In the asset's smallest unit, more than 0. */
  readonly amount: bigint
  /** What happened, in one word: `call`, `gift`, `grant`. */
  readonly what: string
  readonly cause: Cause
}

export interface HoldOpening {
  readonly key: string
  readonly user_id: UserId
  readonly asset: Asset
  readonly amount: bigint
  /** Given: holds the most that is affordable, in whole multiples of this, up to `amount`. */
  readonly step?: bigint
  readonly what: string
  readonly cause: Cause
}

export interface HoldPosting {
  readonly key: string
  readonly hold_id: number
  /** What is taken out of the hold; 0n when nothing was used. */
  readonly amount: bigint
  readonly to: Account
  readonly asset: Asset
  readonly what: string
  readonly cause: Cause
  /** Holds on: the most that is affordable in multiples of `step`, up to this. Without it the hold is closed. */
  readonly keep?: bigint
  readonly step?: bigint
}

export interface HoldVoiding {
  readonly key: string
  readonly hold_id: number
}

export type Step =
  | { readonly move: Movement }
  | { readonly open: HoldOpening }
  | { readonly post: HoldPosting }
  | { readonly void: HoldVoiding }

/** Linked steps: all of them happen, or none. */
export type Group = readonly Step[]

export const steps_in_group_max = 1_000
const key_characters_max = 200

/** The groups as `ledger_apply` reads them. Written by hand: this is the hottest text of the server. */
export function encode(groups: readonly Group[]): string {
  const written: string[] = []
  groups.forEach((group, g) => {
    assert(
      group.length > 0 && group.length <= steps_in_group_max,
      `a group links 1 to ${steps_in_group_max} steps`,
    )
    for (const step of group) written.push(`{"g":${g},${encodeStep(step)}}`)
  })
  return `[${written.join(',')}]`
}

function encodeStep(step: Step): string {
  if ('move' in step) {
    const { key, asset, from, to, amount, what, cause } = step.move
    assert(amount > 0n, 'a movement moves something')
    return `"op":"move",${named(key)},"debit":${accountId(from, asset)},"credit":${accountId(to, asset)},"amount":${amount},${because(what, cause)}`
  }
  if ('open' in step) {
    const { key, user_id, asset, amount, step: unit, what, cause } = step.open
    assert(amount > 0n && (unit === undefined || unit > 0n), 'a hold holds something')
    return `"op":"open",${named(key)},"debit":${accountId({ user_id }, asset)},"amount":${amount}${optional('unit', unit)},${because(what, cause)}`
  }
  if ('post' in step) {
    const { key, hold_id, amount, to, asset, what, cause, keep, step: unit } = step.post
    assert(amount >= 0n && (keep === undefined || keep > 0n), 'a posting takes nothing back')
    return `"op":"post",${named(key)},"hold_id":${hold_id},"credit":${accountId(to, asset)},"amount":${amount}${optional('keep', keep)}${optional('unit', unit)},${because(what, cause)}`
  }
  return `"op":"post",${named(step.void.key)},"hold_id":${step.void.hold_id},"amount":0`
}

function named(key: string): string {
  assert(
    key.length > 0 && key.length <= key_characters_max,
    `a key has 1 to ${key_characters_max} characters`,
  )
  return `"key":${JSON.stringify(key)}`
}

function because(what: string, { kind, id, note }: Cause): string {
  return `"what":${JSON.stringify(what)},"cause":${JSON.stringify(kind)}${optional('cause_id', id)}${note === undefined ? '' : `,"note":${JSON.stringify(note)}`}`
}

function optional(name: string, value: bigint | number | undefined): string {
  return value === undefined ? '' : `,"${name}":${value}`
}

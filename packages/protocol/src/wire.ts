import type { z } from 'zod'
import type { Action, Endpoint, Event } from './kernel/contract.ts'
import type { everyCall } from './kernel/refusals.ts'
import * as audit from './contracts/audit.ts'
import * as billing from './contracts/billing.ts'
import * as blocks from './contracts/blocks.ts'
import * as boys from './contracts/boys.ts'
import * as catalogue from './contracts/catalogue.ts'
import * as changeFeed from './contracts/change-feed.ts'
import * as contests from './contracts/contests.ts'
import * as dates from './contracts/dates.ts'
import * as demo from './contracts/demo.ts'
import * as favourites from './contracts/favourites.ts'
import * as gifts from './contracts/gifts.ts'
import * as clientSignals from './contracts/client-signals.ts'
import * as identity from './contracts/identity.ts'
import * as logins from './contracts/logins.ts'
import * as mail from './contracts/mail.ts'
import * as matchmaking from './contracts/matchmaking.ts'
import * as messenger from './contracts/messenger.ts'
import * as moderation from './contracts/moderation.ts'
import * as reports from './contracts/reports.ts'
import * as notices from './contracts/notices.ts'
import * as privacy from './contracts/privacy.ts'
import * as presence from './contracts/presence.ts'
import * as profile from './contracts/profile.ts'
import * as quality from './contracts/quality.ts'
import * as rating from './contracts/rating.ts'
import * as referrals from './contracts/referrals.ts'
import * as settings from './contracts/settings.ts'
import * as media from './contracts/media.ts'
import * as staff from './contracts/staff.ts'
import * as support from './contracts/support.ts'
import * as system from './contracts/system.ts'
import * as verification from './contracts/verification.ts'
import * as people from './contracts/people.ts'
import * as bulk from './contracts/bulk.ts'
import * as approvals from './contracts/approvals.ts'
import * as calls from './contracts/calls.ts'
import * as ledger from './contracts/ledger.ts'
import * as withdrawals from './contracts/withdrawals.ts'

/** All contracts: one entry for each module, in the server's order of dependence. */
export const wire = {
  system,
  settings,
  mail,
  identity,
  'client-signals': clientSignals,
  logins,
  staff,
  ledger,
  'change-feed': changeFeed,
  presence,
  blocks,
  notices,
  privacy,
  media,
  favourites,
  profile,
  verification,
  moderation,
  reports,
  matchmaking,
  calls,
  messenger,
  gifts,
  quality,
  dates,
  billing,
  withdrawals,
  referrals,
  rating,
  contests,
  catalogue,
  boys,
  support,
  audit,
  bulk,
  approvals,
  people,
  demo,
} as const satisfies Record<string, WireModule>

export interface WireModule {
  readonly actions: Record<string, Action>
  readonly events: Record<string, Event>
  readonly endpoints: Record<string, Endpoint>
}

export type Wire = typeof wire
export type ModuleName = keyof Wire

type Merge<Part extends 'actions' | 'events' | 'endpoints'> = {
  [K in AllKeys<Part>]: Extract<
    { [M in ModuleName]: K extends keyof Wire[M][Part] ? Wire[M][Part][K] : never }[ModuleName],
    object
  >
}
type AllKeys<Part extends 'actions' | 'events' | 'endpoints'> = {
  [M in ModuleName]: keyof Wire[M][Part]
}[ModuleName]

/** Every action, event and endpoint by its name. */
export type Actions = Merge<'actions'>
export type Events = Merge<'events'>
export type Endpoints = Merge<'endpoints'>
export type ActionName = keyof Actions & string
export type EventName = keyof Events & string
export type EndpointName = keyof Endpoints & string

/** The parsed data of an action, the data as a client sends it, and the acknowledgement; likewise of endpoints and events. */
export type Input<A extends ActionName> = z.output<Actions[A]['data']>
export type Sent<A extends ActionName> = z.input<Actions[A]['data']>
export type Ack<A extends ActionName> = z.input<Actions[A]['ack']>
export type Payload<E extends EventName> = z.input<Events[E]['payload']> &
  (Events[E]['durable'] extends true ? { change_id?: number } : unknown)
export type Query<E extends EndpointName> = z.output<Endpoints[E]['query']>
export type Body<E extends EndpointName> = z.output<Endpoints[E]['body']>
export type Answer<E extends EndpointName> = z.input<Endpoints[E]['data']>

type Calls = Actions & Endpoints
export type CallName = ActionName | EndpointName
/** Every refusal with which a call can be answered: those of its contract and those that every call may give. */
export type RefusalOf<C extends CallName> = Calls[C]['refuses'][number] | (typeof everyCall)[number]

function merged<Part extends 'actions' | 'events' | 'endpoints'>(part: Part): Merge<Part> {
  return Object.freeze(
    Object.assign({}, ...Object.values(wire).map((module) => module[part])),
  ) as Merge<Part>
}
export const actions = merged('actions')
export const events = merged('events')
export const endpoints = merged('endpoints')

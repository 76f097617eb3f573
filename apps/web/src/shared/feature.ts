import type { ComponentType, ReactNode } from 'react'
import type { EventName, ModuleName, Payload, Wire } from '@duet/protocol'
import type { QueryClient } from '@tanstack/react-query'
import type { Icon } from '@phosphor-icons/react'
import type { AppServices } from './app-services.tsx'
import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import type { DialogName, OpenDialogProps } from './dialogs.ts'
import type { TextId } from './i18n.ts'

/** The services of event handlers and start functions. */
export interface FeatureContext extends AppServices {
  readonly queries: QueryClient
}

export type EventHandler<Event extends EventName> = (
  payload: Payload<Event>,
  context: FeatureContext,
) => void

/** A handler for every event of a protocol module. A new event of the module does not compile without a handler. */
export type EventHandlers<Module extends ModuleName> = {
  readonly [Event in keyof Wire[Module]['events'] & EventName]: EventHandler<Event>
}

/** For an event that `@duet/client` has fully handled (own record, connection) before features receive it. */
export const handledByClient = (): void => {}

/** `member`: registered users. `guest`: users who are not registered. `none`: always refused. */
export type AccessRequirement = 'member' | 'guest' | 'none'

export interface FeatureRoute {
  readonly path: string
  readonly element: ReactNode
  /** Without it the page is open to everyone. */
  readonly access?: AccessRequirement
  /** Only for users of this role. Other users get the route of another feature with the same path. */
  readonly role?: WireRole
}

export interface NavItem {
  readonly to: string
  /** Opens a dialog above the present page, with the same content as the address. */
  readonly open?: () => void
  readonly label: TextId
  /** The label for girls, where it differs. */
  readonly girlLabel?: TextId
  readonly icon: Icon
  /** Only for users of this role. Absent: for all users. */
  readonly role?: WireRole
  /**
   * A rail item is also a tab. A `tab` item is not in the rail. A `more` item is in the rail, and on a phone in the list
   * of the own page.
   */
  readonly place: 'rail' | 'tab' | 'more'
  /** A hook that returns the number beside the icon, such as unread messages. The entry calls the hook. */
  readonly useCount?: () => number
  /** A hook that returns the number of things that wait to be sent. */
  readonly useWaiting?: () => number
}

export type ProfileTab = 'personal' | 'account' | 'rules'

/**
 * A section of the page /profile/. On a desktop a tab shows its sections below each other. On a phone each section has
 * a page.
 */
export interface ProfileSection {
  /** The part of the address after `#`, unique among all sections: `/profile/#devices`. */
  readonly id: string
  readonly tab: ProfileTab
  /** The sections of a tab are shown in rising order. */
  readonly order: number
  /** Only for users of this role. Absent: for all users. */
  readonly role?: WireRole
  readonly title: TextId
  readonly icon: Icon
  /** The part under the title, loaded lazily (`lazyScreen`). */
  readonly content: ComponentType
}

/**
 * A feature of the page: one folder `features/<word>`, whose `feature.ts` exports a manifest, and one line in
 * `app/features.ts`. The first route's script contains the manifest, so the manifest loads its screens lazily.
 */
export interface Feature {
  readonly routes?: readonly FeatureRoute[]
  /** Loaded with the frame around the pages of members. */
  readonly navigation?: () => Promise<readonly NavItem[]>
  /** Loaded with the page /profile/. */
  readonly profileSections?: () => Promise<readonly ProfileSection[]>
  readonly dialogs?: { readonly [Name in DialogName]?: ComponentType<OpenDialogProps<Name>> }
  readonly events?: { readonly [Event in EventName]?: EventHandler<Event> }
  /**
   * Protocol modules whose events a reducer map of the feature handles. The map has a reducer for each event of the
   * contract. The feature's runtime loads the map and subscribes to its events (`shared/connection/event-reducers.ts`).
   */
  readonly reducedModules?: readonly ModuleName[]
  /** The area of an action or endpoint (`error.title.<area>` is the dialog's title when it is refused). */
  readonly errorAreas?: Readonly<Record<string, string>>
  /** Runs once, before the connection starts. */
  readonly start?: (context: FeatureContext) => void
  /** When the page is idle, loads the code that the first click is likely to need. */
  readonly preload?: () => Promise<unknown>
}

type HandledEvents<Member> =
  | (Member extends { readonly events: infer Handlers } ? keyof Handlers : never)
  | (Member extends { readonly reducedModules: readonly (infer Module extends ModuleName)[] }
      ? EventsOf<Module>
      : never)
type ShownDialogs<Member> = Member extends { readonly dialogs: infer Dialogs }
  ? keyof Dialogs
  : never
type EventsOf<Module extends ModuleName> = {
  [Name in Module]: keyof Wire[Name]['events']
}[Module]
type EventsHandledTwice<List, Seen> = List extends readonly [infer First, ...infer Rest]
  ? (HandledEvents<First> & Seen) | EventsHandledTwice<Rest, Seen | HandledEvents<First>>
  : never

/** The problem of a list of features, as a sentence. `never` if every event and dialog has exactly one feature. */
export type FeatureListProblem<
  List extends readonly Feature[],
  NotBuilt extends ModuleName = never,
> =
  | `no feature handles ${Exclude<EventName, HandledEvents<List[number]> | EventsOf<NotBuilt>>}`
  | `two features handle ${EventsHandledTwice<List, EventsOf<NotBuilt>> & string}`
  | `no feature shows the dialog ${Exclude<DialogName, ShownDialogs<List[number]>>}`

/**
 * The features of the page. `notBuilt` names the protocol modules without a web feature: the page ignores their events.
 * If the list has a problem, the return type names the problem, and the assignment to `readonly Feature[]` does not
 * compile.
 */
export function composeFeatures<
  const List extends readonly Feature[],
  const NotBuilt extends ModuleName,
>(
  list: List,
  _notBuilt: readonly NotBuilt[],
): [FeatureListProblem<List, NotBuilt>] extends [never]
  ? List
  : { problem: FeatureListProblem<List, NotBuilt> } {
  return list as never
}

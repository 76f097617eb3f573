import type { UserId } from './ids.ts'

/** A viewer, as hiding from them is decided. */
export interface HidingViewer {
  /** Null: a user without an account. */
  readonly id: UserId | null
  /** The country of the viewer's connection. Undefined: the stored country of the user counts. Null: unknown, also when stored. */
  readonly country?: string | null
}

/** Stands in the place of a country for an event to viewers in many countries: each country is checked when it is sent. */
export const ANYWHERE = 'anywhere'

/** The viewers who may not see a user. */
export interface HiddenFrom {
  readonly users: ReadonlySet<UserId>
  /** Unless it is empty, viewers whose country is unknown may not see the user either. */
  readonly countries: ReadonlySet<string>
}

/** The verdict about a user, as the provider's API tells it. Claims of a browser or a notice do not count. */
export interface KycApplicant {
  readonly applicant_id: string
  /** Our own name for the user. */
  readonly user_key: string
  /** The level that was checked; undefined when the provider does not say. */
  readonly level: string | undefined
  /** `open`: not decided, or decided again. */
  /** `incomplete`: the user has not sent everything yet. `open`: the provider has everything and has not decided. */
  readonly answer: 'incomplete' | 'open' | 'green' | 'red'
  /** Red, and the user may not try again. */
  readonly is_final: boolean
  readonly birthday: string | undefined
  /** The last day of the document, where the provider read it. */
  readonly valid_until: string | undefined
}

/** A signed message of the provider that something about an applicant changed. */
export interface KycNotice {
  readonly digest: string
  readonly applicant_id: string
  readonly correlation_id: string
  readonly user_key: string
  readonly type: string
  readonly created_at: Temporal.Instant
  readonly is_sandbox: boolean
}

/** The provider does not answer, or refuses us. */
export class KycUnavailable extends Error {
  override readonly name = 'KycUnavailable'
}

/** A service that checks identities in a frame on our page. */
export interface KycProvider {
  /** The origin of its frame. */
  readonly frame_origin: string
  /** The level that a user has to pass. */
  readonly level: string
  /** A token for the frame of one user. Throws KycUnavailable. */
  createToken(userKey: string): Promise<string>
  /** Throws KycUnavailable. */
  readApplicant(applicant_id: string): Promise<KycApplicant>
  /** Undefined when the message is not signed by the provider as it is configured here. */
  readNotice(body: Buffer, headers: NodeJS.Dict<string | string[]>): KycNotice | undefined
}

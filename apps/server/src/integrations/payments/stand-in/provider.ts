/** A payment at the stand-in. */
export interface PlayedPayment {
  /** The provider's name of the payment. */
  readonly id: string
  /** The same as digits, of providers whose names are numbers. */
  readonly number: string
  readonly method: string
  /** The provider: the first part of its address at the stand-in. */
  readonly played_by: string
  /** Our name of the order. */
  readonly reference: string
  /** In the smallest unit of `currency`. */
  readonly amount: bigint
  readonly currency: string
  readonly description: string
  /** Where the notices go. */
  readonly notify_url: string
  /** Where the browser returns after Pay, and after Decline. */
  readonly success_url: string
  readonly failure_url: string
  /** The parameters that the provider returns to us unchanged. */
  readonly passed: Readonly<Record<string, string>>
  state:
    | 'open'
    | 'pending'
    | 'authorized'
    | 'paid'
    | 'partial'
    | 'late'
    | 'failed'
    | 'refunded'
    | 'charged_back'
}

/**
 * A step that a person or a test lets happen with a payment. `amount`: other than that of the payment. `late`: the money came
 * in after the provider had closed the payment.
 */
export interface PlayedStep {
  readonly type: 'pending' | 'paid' | 'partial' | 'late' | 'failed' | 'refunded' | 'charged_back'
  readonly amount?: bigint
  readonly currency?: string
  readonly reference?: string
  /** The same in all repetitions of a step; counted by the stand-in. */
  readonly step: number
}

export interface StandInRequest {
  readonly method: string
  /** Behind the base address of the provider: `/startorder`. */
  readonly path: string
  readonly query: string
  readonly body: string
  readonly headers: NodeJS.Dict<string | string[]>
}

export interface StandInResponse {
  readonly status: number
  readonly content_type: string
  readonly body: string
}

export interface SentNotice {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The payments of one provider, as the stand-in keeps them and shows their pages. */
export interface PlayedPayments {
  /** Stores a payment under a new id. `page_url` is the page where a person presses Pay or Decline. */
  open(payment: Omit<PlayedPayment, 'id' | 'number' | 'method' | 'played_by' | 'state'>): {
    readonly payment: PlayedPayment
    readonly page_url: string
  }
  byId(id: string): PlayedPayment | undefined
  byNumber(number: string): PlayedPayment | undefined
  byReference(reference: string): PlayedPayment | undefined
  /** The address of the notices of this provider, where the operator enters it at the provider itself. */
  readonly notify_url: string
  /** The page to which the browser returns, of providers where the operator enters it. */
  readonly home_url: string
  /** The code with which DataLink of CCBill refuses every question. */
  readonly datalink_code: string | undefined
}

/** One provider as the stand-in plays it, with the credentials of `stand-in/access.ts`. */
export interface StandInProvider {
  readonly method: string
  /**
   * Answers a request to the provider's API or payment page. `redirect`: the browser goes on to the page of the payment.
   * Undefined: 404. It verifies what the real provider verifies, and refuses what that refuses.
   */
  handle(
    request: StandInRequest,
    payments: PlayedPayments,
  ): StandInResponse | { readonly redirect: string } | undefined
  /** The notices that the provider sends for a step, signed. */
  notices(payment: PlayedPayment, step: PlayedStep): readonly SentNotice[]
}

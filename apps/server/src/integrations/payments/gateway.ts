/** An order as a provider learns of it. */
export interface PayableOrder {
  /** Our own name of the order, never used twice: letters, digits and dashes, at most 40 characters. */
  readonly reference: string
  /** A pseudonym of the buyer, the same for all of the buyer's orders. */
  readonly buyer_key: string
  /** In the smallest unit of `currency`, more than 0. */
  readonly price: bigint
  /** Three capital letters. */
  readonly currency: string
  /** One line in English, at most 100 characters: `45 minutes`. */
  readonly description: string
  /** A language like `en`. */
  readonly locale: string
  /** A confirmed address only. */
  readonly email: string | undefined
  /** The page to which the provider sends the browser back, whatever happened. */
  readonly return_url: string
  /** Where this installation receives the provider's notices. */
  readonly notify_url: string
  /** The order cannot be begun at the provider after this instant. */
  readonly expires_at: Temporal.Instant
}

/** Where the browser goes to pay. */
export interface StartedPayment {
  readonly url: string
  /** If given, the browser posts these fields to `url`, from a page of ours. */
  readonly fields?: Readonly<Record<string, string>>
  /** The provider's name of the payment, where it has one before the buyer pays. */
  readonly payment_id?: string
}

/** A script of the provider that opens its form in a frame on a page of ours. */
export interface PaymentWidget {
  /** The address of the script. */
  readonly script: string
  /** The origins from which the script and its frame load. */
  readonly sources: readonly string[]
  /** The script text that opens the form; it calls `done()` after a payment and after a failure. */
  open(order: PayableOrder): string
}

/**
 * The content of a notice.
 *
 * - `asked`: the provider asks whether the order may be paid; nothing is paid yet
 * - `pending`: the payment has begun, or waits for confirmation
 * - `paid`: the whole payment is final · `partial`: less than the price came in
 * - `failed`: declined, cancelled or expired at the provider
 * - `refunded`: `amount` was given back · `charged_back`: the bank of the buyer took `amount` back
 */
export type PaymentNoticeKind =
  | 'asked'
  | 'pending'
  | 'paid'
  | 'partial'
  | 'failed'
  | 'refunded'
  | 'charged_back'

/** A notice after its signature was verified, or an answer of the provider's API. */
export interface ProviderNotice {
  readonly kind: PaymentNoticeKind
  /** Our name of the order, if the notice contains it. Otherwise the payment id names the order. */
  readonly reference: string | undefined
  /** The provider's name of the payment. Undefined only together with a reference. */
  readonly payment_id: string | undefined
  /** The same in every repetition of this step, and different in every other step of any payment. */
  readonly step_id: string
  /** The provider does not name the step: another refund of the same amount looks like a repetition of this one. */
  readonly is_unnamed?: boolean
  /** In the smallest unit of `currency`; undefined if the provider names none. */
  readonly amount: bigint | undefined
  readonly currency: string | undefined
  /** The amount as a decimal in the currency of the order, from a provider that signs the amount and names no currency. */
  readonly ordered_decimal?: string
  /**
   * The same in every payment with the same card, wallet or account, and in no other; never a whole card number. Undefined
   * if the provider names too little to identify it.
   */
  readonly instrument: string | undefined
  /** A payment of the provider's test mode: it never credits in production. */
  readonly is_test: boolean
}

export type NoticeReading =
  | { readonly type: 'notice'; readonly notice: ProviderNotice }
  /** Signed, and about something that concerns no order. */
  | { readonly type: 'irrelevant'; readonly why: string }
  /** Not signed, or signed wrongly, or not readable. */
  | { readonly type: 'unverified'; readonly why: string }

/** A request of a provider as it arrived. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST'
  /** As in the address, without the question mark. */
  readonly query: string
  readonly body: Buffer
  readonly headers: NodeJS.Dict<string | string[]>
  readonly address: string
}

/**
 * The fate of a notice.
 *
 * - `accepted`: stored and applied now, or before
 * - `refused`: no order, or not as ordered; it was stored for staff
 * - `unverified`: not believed
 * - `unavailable`: the provider must send it again, because we or its API could not answer
 */
export type NoticeVerdict = 'accepted' | 'refused' | 'unverified' | 'unavailable'

export interface ProviderAnswer {
  readonly status: number
  readonly content_type: string
  readonly body: string
}

/** The order of a notice, as far as the gateway needs it. */
export interface NamedOrder {
  readonly reference: string
  readonly payment_id: string | undefined
  readonly price: bigint
  readonly currency: string
}

/** One method of payment. The rules of orders are not here: a gateway translates, signs and verifies. */
export interface Gateway {
  /** The name on the wire: `verotel`. */
  readonly method: string
  readonly currencies: ReadonlySet<string>
  /** Returns where the buyer pays. Throws GatewayUnavailable. Where it returns fields, it begins nothing at the provider. */
  start(order: PayableOrder): Promise<StartedPayment>
  /** If given, the buyer pays with it, and `start` is for browsers that do not load it. */
  readonly widget?: PaymentWidget
  /** Verifies over the raw bytes, in constant time, then reads. Never throws for what a stranger sends. */
  read(request: ProviderRequest): NoticeReading
  /**
   * If given, no notice counts without it: asks the provider what is true, and takes the money where the provider needs
   * that. The result replaces the notice; undefined: nothing to apply. Throws GatewayUnavailable.
   */
  confirm?(notice: ProviderNotice, order: NamedOrder): Promise<ProviderNotice | undefined>
  /** Anyone can send its notices: each is only a reason to ask. */
  readonly proves_nothing?: boolean
  /** The provider gives a payment back by itself unless its notice is accepted. */
  readonly refunds_unaccepted?: boolean
  /** The state of an open order, asked from the provider. Undefined: not known there yet. Throws GatewayUnavailable. */
  ask?(order: NamedOrder): Promise<ProviderNotice | undefined>
  /** The answer in the provider's own format. `refusal` explains why an `asked` payment is refused. */
  answer(
    verdict: NoticeVerdict,
    request: ProviderRequest,
    refusal?: 'unknown_order' | 'wrong_amount' | 'over',
  ): ProviderAnswer
  /** The public name of our account there. */
  readonly public_key?: string
  /**
   * Only of methods that a setting describes: takes the text of the setting, before each use. False: the text is `none` or
   * wrong, and the method is off.
   */
  configure?(form: string): boolean
  /** Only of those methods: the order by a form that needs not be the configured one. */
  preview?(form: string, order: PayableOrder): FormPreview
}

/** The mistakes of a form as sentences, or the text that would be signed and the address, with the names of the secrets in place. */
export type FormPreview =
  | { readonly mistakes: readonly string[] }
  | { readonly signed: string; readonly url: string }

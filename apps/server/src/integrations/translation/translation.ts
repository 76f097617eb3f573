export interface Translation {
  readonly text: string
  /** The language that the text was recognised as, as a tag of BCP 47; undefined: not recognised. */
  readonly from: string | undefined
}

export interface TranslationOrder {
  readonly text: string
  /** A code of ISO 639. */
  readonly to: string
  /** The user who asks, by id: one user's texts must not look like a failure of the service. */
  readonly user_id: number
}

/** A text of this user kept the service busy. No text is sent before these seconds have passed. */
export interface TranslationPause {
  readonly retry_after: number
}

/** A service that translates texts of users. */
export interface Translator {
  /**
   * Undefined if the service does not answer, refuses us, or lacks the language. `failed` if the service
   * worked on the text but made no translation in time. A pause if an earlier text of this user stops
   * requests for now. Never throws.
   */
  translate(order: TranslationOrder): Promise<Translation | TranslationPause | 'failed' | undefined>
}

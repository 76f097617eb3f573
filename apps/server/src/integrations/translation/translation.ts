export interface Translation {
  readonly text: string
  /** The language that the text was recognised as, as a tag of BCP 47; undefined: not recognised. */
  readonly from: string | undefined
}

/** A service that translates texts of users. */
export interface Translator {
  /** `to`: a code of ISO 639. Undefined when the service does not answer, refuses us, or does not have the language. Never throws. */
  translate(text: string, to: string): Promise<Translation | undefined>
}

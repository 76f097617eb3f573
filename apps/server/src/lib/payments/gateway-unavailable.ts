/** A provider of payments does not answer, or refuses us. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable'
  /** The provider refuses us until a person changes something there or here: waiting alone does not help. */
  readonly needs_staff: boolean

  constructor(
    message: string,
    { needs_staff = false, ...options }: ErrorOptions & { readonly needs_staff?: boolean } = {},
  ) {
    super(message, options)
    this.needs_staff = needs_staff
  }
}

/** A provider of payments does not answer, or refuses us. */
export class GatewayUnavailable extends Error {
  override readonly name = 'GatewayUnavailable'
}

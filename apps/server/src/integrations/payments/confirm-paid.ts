import type { NamedOrder, ProviderNotice } from './gateway.ts'

/** A provider waits three seconds for our answer. */
export const CONFIRM_LIMIT_MS = 2_000

/**
 * A signed payment, confirmed by the API of its provider: the secret of the signature alone credits nothing. Undefined: the
 * provider knows of no such payment. An amount or a currency that differs from the order counts, whichever of the two
 * names it. Throws GatewayUnavailable while the API does not answer: the notice is asked for again.
 */
export async function confirmPaid(
  notice: ProviderNotice,
  { price, currency }: NamedOrder,
  ask: (signal: AbortSignal) => Promise<ProviderNotice | undefined>,
): Promise<ProviderNotice | undefined> {
  if (notice.kind !== 'paid') return notice
  const found = await ask(AbortSignal.timeout(CONFIRM_LIMIT_MS))
  if (found?.kind !== 'paid') return undefined
  if (found.amount === price && found.currency === currency) return notice
  // The decimal of the notice would stand above the amount that the API names.
  const { ordered_decimal: _, ...named } = notice
  return { ...named, amount: found.amount, currency: found.currency }
}

import { isRefused } from '@duet/client'
import type { Ack, ActionName, RefusalOf, Sent } from '@duet/protocol'
import type { AppServices } from '../app-services.tsx'

/** The services that the commands of a feature use to reach the server. */
export interface CommandContext {
  readonly services: AppServices
}

export function act<A extends ActionName>(
  { services }: CommandContext,
  action: A,
  sent: Sent<A>,
): Promise<Ack<A>> {
  return services.connection.act(action, sent)
}

/** Opens the error dialog, unless the action was refused by this name, which means nothing to the user here. */
export function reportUnless<A extends ActionName>(
  { services }: CommandContext,
  error: unknown,
  action: A,
  refusal: RefusalOf<A>,
): void {
  if (!isRefused(error, action, refusal)) services.report(error)
}

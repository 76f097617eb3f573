import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'

export type OwnVerification = Answer<'GET kyc'>

export interface VerificationQuery {
  readonly verification: OwnVerification | undefined
  readonly isFailed: boolean
  /** Fetches again: after a failure, and for a new gesture. */
  readonly refresh: () => Promise<void>
}

/** The state of the own check. A decision changes the own record, and the record changes the key of this query. */
export function useVerification(): VerificationQuery {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const user = useOwnUser()
  const queryKey = ['kyc', user?.id, user?.info.verify_state, user?.info.is_verify]
  const { data, isError } = useQuery({
    queryKey,
    queryFn: () => connection.http.get('kyc'),
    // An open page stays as it is while the next state is fetched: its frame may have the user's input.
    placeholderData: (before, query) => (query?.queryKey[1] === user?.id ? before : undefined),
  })
  return {
    verification: data,
    isFailed: isError,
    refresh: () => queries.invalidateQueries({ queryKey: ['kyc'] }),
  }
}

/** The provider takes a user whose identity is not verified and not being checked. */
export function takesProvider({ provider, state }: OwnVerification): boolean {
  return provider === 'sumsub' && (state === 'none' || state === 'declined')
}

/** Whether something can be sent now. The installation may take documents, have a provider, both, or neither. */
export function isOpen(verification: OwnVerification): boolean {
  return verification.challenge !== undefined || takesProvider(verification)
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { Answer } from '@duet/protocol'
import { api, isRefused } from './api.ts'
import { followServer } from './times.ts'

type OwnSession = Answer<'GET v2/manager/me'>
const ME = ['me'] as const

/** The session of this browser: `null` when there is none. */
export function useOwnSession() {
  return useQuery<OwnSession | null>({
    queryKey: ME,
    queryFn: () =>
      api.get('v2/manager/me').then(
        (session) => {
          followServer(session.server_time)
          return session
        },
        (error: unknown) => {
          if (isRefused(error, 'session_invalid')) return null
          throw error
        },
      ),
    // A session that another person ended, or that is over, is noticed while the page is open.
    refetchInterval: 60_000,
  })
}

/** After a sign-in or sign-out: everything that was fetched is fetched again. */
export function useSessionChange(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.resetQueries()
}

const SessionContext = createContext<OwnSession | undefined>(undefined)
export const SessionProvider = SessionContext.Provider

function useSession(): OwnSession {
  const session = useContext(SessionContext)
  if (!session)
    throw new Error('Impossible: the frame is shown to a signed-in member of staff only')
  return session
}

export function useStaff(): OwnSession['staff'] {
  return useSession().staff
}

/** The longest ban and the highest penalty of the own role; null: without a limit. */
export function useMost(): OwnSession['most'] {
  return useSession().most
}

/** Whether the installation has a translation service. */
export function useTranslates(): boolean {
  return useSession().translates
}

export function useSignOut() {
  const change = useSessionChange()
  return useMutation({ mutationFn: () => api.post('v2/manager/sign-out'), onSettled: change })
}

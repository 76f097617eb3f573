import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dialog } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { storePeople } from '../../../shared/people/people.ts'
import { useMessengerState } from '../use-messenger.ts'

/** The own dialogs with people whose nick begins like the query, each as the page knows it now. */
export function useFoundDialogs(query: string) {
  const { connection } = useAppServices()
  const known = useMessengerState(({ dialogs }) => dialogs)
  const ownId = useMessengerState(({ own_id }) => own_id)
  const found = useQuery({
    queryKey: ['messenger', 'found', ownId, query],
    queryFn: async () => {
      const { dialogs } = await connection.act('GET_DIALOGS', { query, limit: limits.dialogs })
      storePeople(dialogs.map(({ interlocutor }) => interlocutor))
      return dialogs
    },
    staleTime: 0,
    gcTime: 60_000,
  })
  const dialogs: readonly Dialog[] = useMemo(
    () => (found.data ?? []).map((dialog) => known.get(dialog.dialog_id) ?? dialog),
    [found.data, known],
  )
  return {
    dialogs,
    isLoading: found.isPending,
    isFailed: found.isError,
    retry: () => void found.refetch(),
  }
}

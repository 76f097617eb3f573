import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { useAppServices } from '../../shared/app-services.tsx'
import { storePeople, usePerson } from '../../shared/people/people.ts'
import { useFavourites } from '../../shared/people/use-favourites.ts'

export interface KnownPeople {
  readonly items: readonly UserInterlocutor[]
  readonly status: 'loading' | 'failed' | 'ready'
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
  readonly retry: () => void
}

/** The women that a guy may ask for a date: his favourites, and those of his dialogs. */
export function usePeople(): KnownPeople {
  const { connection } = useAppServices()
  const favourites = useFavourites()
  const dialogs = useQuery({
    queryKey: ['date_people'],
    queryFn: async () => {
      const { dialogs: found } = await connection.act('GET_DIALOGS', {})
      const people = found.map(({ interlocutor }) => interlocutor)
      storePeople(people)
      return people
    },
    refetchOnMount: 'always',
  })
  const byId = new Map(
    [...favourites.items, ...(dialogs.data ?? [])].map((person) => [person.id, person]),
  )
  const isLoading = favourites.status === 'loading' || dialogs.isPending
  return {
    items: [...byId.values()],
    status: isLoading
      ? 'loading'
      : favourites.status === 'failed' || dialogs.isError
        ? 'failed'
        : 'ready',
    more: favourites.more === 'ready' ? favourites.loadMore : undefined,
    isLoadingMore: favourites.more === 'loading',
    retry() {
      favourites.retry()
      void dialogs.refetch()
    },
  }
}

/**
 * The woman that the address names. Her page and her dialog have stored her; after a reload the lists are searched. `null`:
 * she is in none of them.
 */
export function useChosenPerson(
  id: number,
  people: KnownPeople,
): UserInterlocutor | null | undefined {
  const stored = usePerson(id)
  const { items, status, more } = people
  const person = items.find((one) => one.id === id) ?? stored
  const isMissing = !person && id > 0 && status === 'ready'
  useEffect(() => {
    if (isMissing) more?.()
  }, [isMissing, more])
  return person ?? (isMissing && !more && !people.isLoadingMore ? null : undefined)
}

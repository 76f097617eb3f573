import { useQuery } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { RefusedError, useAppServices } from '../../shared/app-services.tsx'
import { storePeople, usePerson } from '../../shared/people/people.ts'
import { useFavourites } from '../../shared/people/use-favourites.ts'
import { useHours } from './time-picker.tsx'

export interface KnownPeople {
  readonly items: readonly UserInterlocutor[]
  readonly status: 'loading' | 'failed' | 'ready'
  readonly more: (() => void) | undefined
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
    retry() {
      favourites.retry()
      void dialogs.refetch()
    },
  }
}

/** The woman that the address names, from a list or with her open hours. `null`: he may not ask her. */
export function useChosenPerson(
  id: number,
  people: KnownPeople,
): UserInterlocutor | null | undefined {
  const stored = usePerson(id)
  const { data, error } = useHours(id, id > 0)
  const person = people.items.find((one) => one.id === id) ?? stored ?? data?.user_interlocutor
  return person ?? (error instanceof RefusedError ? null : undefined)
}

import { useEffect } from 'react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Answer, Media, User } from '@duet/protocol'
import {
  CONNECTION_WAIT_MS,
  RefusedError,
  useAppServices,
  useOwnUser,
} from '../../shared/app-services.tsx'
import { isRegistered } from '../../shared/account/auth-status.ts'
import { storePeople, usePerson } from '../../shared/people/people.ts'
import { useMembership } from '../../shared/people/use-membership.ts'
import { useStatuses } from '../../shared/people/use-statuses.ts'

type GirlPageAnswer = Answer<'GET girl_info'>
/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

const getKey = (refCode: string) => ['girl_info', refCode] as const

/** The answer depends on these: a visitor who registers keeps the id, and gets another answer. */
const getViewerKey = (user: User | undefined) => [
  user?.id,
  isRegistered(user),
  user?.age_confirmed,
  user?.is_premium,
]

/** The page of a girl as this viewer may see it, with her status as it is now. */
export function useGirl(refCode: string) {
  const { connection } = useAppServices()
  const user = useOwnUser()
  const query = useQuery({
    queryKey: [...getKey(refCode), ...getViewerKey(user)],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      // The answer depends on the viewer, and before AUTH the server knows no viewer.
      await connection.ready(CONNECTION_WAIT_MS)
      const answer = await connection.http.get('girl_info', { ref_code: refCode })
      storePeople([answer.girl])
      return answer
    },
    refetchInterval: REFRESH_MS,
    refetchOnMount: 'always',
    retry: (attempts, error) => attempts < 2 && isPassing(error),
  })
  const girl = query.data?.girl
  // Events change the store of people. All other data is in the answer.
  const person = usePerson(girl?.id)
  useStatuses(girl ? [girl.id] : [])
  useCountedView(girl?.id)
  return {
    girl: girl && { ...girl, ...(person && currentFields(person)) },
    canCall: query.data?.can_call,
    isUnknown: query.error instanceof RefusedError && isAbsence(query.error),
    isLoading: query.isPending,
    retry: () => void query.refetch(),
  }
}

export type ShownGirl = NonNullable<ReturnType<typeof useGirl>['girl']>

const currentFields = ({
  status,
  sub_status,
  is_favorite,
  is_wanted,
}: Pick<GirlPageAnswer['girl'], 'status' | 'sub_status' | 'is_favorite' | 'is_wanted'>) => ({
  status,
  sub_status,
  is_favorite,
  ...(is_wanted !== undefined && { is_wanted }),
})

/** Registering ends the guest's token. A request between the event and the new token is refused once. */
function isPassing(error: Error): boolean {
  return !(error instanceof RefusedError) || error.refusal === 'session_invalid'
}

/** A code that no girl can have is `invalid`. */
function isAbsence({ refusal }: RefusedError): boolean {
  return refusal === 'not_found' || refusal === 'invalid'
}

/** Counts a view each time that the page opens. The server counts only members, and a viewer once a day. */
function useCountedView(girlId: number | undefined): void {
  const { connection } = useAppServices()
  const user = useOwnUser()
  const viewerId = isRegistered(user) ? user?.id : undefined
  useEffect(() => {
    if (girlId === undefined || viewerId === undefined || viewerId === girlId) return
    // The page does not wait for the count, and a lost count does no harm.
    connection.http.post('stat/show_girl', { user_id: girlId }).catch(() => {})
  }, [connection, girlId, viewerId])
}

/** Likes an item of the girl's galleries, or removes the like. A visitor logs in first, and then the like follows. */
export function useLike(refCode: string): (media: Media) => Promise<void> {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const membership = useMembership()
  return async ({ id, liked }) => {
    if (!(await membership())) return
    const answer = await connection.http.post('gallery/media/like', { id, like: !liked })
    const change = (list: readonly Media[]) =>
      list.map((media) => (media.id === id ? { ...media, ...answer } : media))
    queries.setQueriesData<GirlPageAnswer>(
      { queryKey: getKey(refCode) },
      (page) =>
        page && {
          ...page,
          girl: {
            ...page.girl,
            photos: change(page.girl.photos),
            videos: change(page.girl.videos),
          },
        },
    )
  }
}

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePages, type FetchedPages } from '../../shared/controls/use-pages.ts'
import { usePress } from '../../shared/controls/use-press.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { storePeople } from '../../shared/people/people.ts'
import { useStatuses } from '../../shared/people/use-statuses.ts'

const HISTORY_KEY = ['history_chats'] as const
/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

type HistoryPages = FetchedPages<'history_chats'>

/** The past calls in pages, with the present statuses of the other users. A call that ends now joins them. */
export function useHistory() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const pages = usePages('history_chats', {
    onPage: ({ items }) => storePeople(items.flatMap((item) => item.user_interlocutor ?? [])),
    refresh_ms: REFRESH_MS,
  })
  useStatuses([...new Set(pages.items.flatMap((item) => item.user_interlocutor?.id ?? []))])
  useEffect(
    () =>
      connection.on('close_session', () => {
        void queries.invalidateQueries({ queryKey: HISTORY_KEY })
      }),
    [connection, queries],
  )
  return pages
}

/** Takes a user who was blocked out of the list at once. The receipts stay. */
export function useForget(): (user_id: number) => void {
  const queries = useQueryClient()
  return (user_id) =>
    queries.setQueryData<HistoryPages>(HISTORY_KEY, (pages) => withoutPerson(pages, user_id))
}

function withoutPerson(data: HistoryPages | undefined, user_id: number): HistoryPages | undefined {
  if (!data) return data
  const pages = data.pages.map((page) => ({
    ...page,
    items: page.items.map((item) =>
      item.user_id === user_id ? { ...item, user_interlocutor: null } : item,
    ),
  }))
  return { ...data, pages }
}

/** Asks and then clears the history. */
export function useClearHistory() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const { busy, press } = usePress(async () => {
    if (!(await dialogs.ask('clear_history', {}))) return
    await connection.http.post('history_chats/clear', {})
    await queries.resetQueries({ queryKey: HISTORY_KEY })
  })
  return { busy, clear: () => void press() }
}

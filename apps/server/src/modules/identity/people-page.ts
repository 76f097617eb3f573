import type { UserInterlocutor } from '@duet/protocol'
import { paginate, type Page, type PageRequest } from '../../lib/paging/pagination.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { interlocutors } from './views.ts'

export interface PeopleList<Row, Item> {
  /** Fetched with `offsetAndLimit`: one row more than the page shows, if there is a next page. */
  readonly rows: readonly Row[]
  /** The length of the whole list, where it is stored. */
  readonly total?: number
  /**
   * Makes an item from a row and the user as the viewer sees the user. Undefined user: the user is no
   * longer a member. A row without an item is left out.
   */
  readonly render: (row: Row, user: UserInterlocutor | undefined) => Item | undefined
}

/** One page of a list of users, such as favourites or blocked users. */
export async function peoplePage<Row extends { readonly user_id: UserId }, Item extends object>(
  app: App,
  viewerId: UserId,
  request: PageRequest,
  { rows, total, render }: PeopleList<Row, Item>,
): Promise<Page<Item>> {
  const page = paginate(request, rows, total)
  const ids = page.items.map((row) => row.user_id)
  const users = await interlocutors(app, app.db, viewerId, ids)
  const usersById = new Map(users.map((user) => [user.id, user]))
  const items = page.items.flatMap((row) => render(row, usersById.get(row.user_id)) ?? [])
  return { ...page, items }
}

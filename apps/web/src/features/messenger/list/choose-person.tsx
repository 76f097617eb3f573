import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { UserInterlocutor } from '@duet/protocol'
import { Avatar } from '@duet/ui'
import { useAppServices } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { srcSetOf } from '../../../shared/media/src-set.ts'
import { storePeople, usePerson } from '../../../shared/people/people.ts'
import { useStatuses } from '../../../shared/people/use-statuses.ts'
import { useWrite } from '../../../shared/people/use-write.ts'
import { presenceOf } from './dialog-row.tsx'

/** The favourites of a user without dialogs: a press opens the dialog. Without favourites there is nothing. */
export function ChoosePerson() {
  const people = useFavourites()
  useStatuses(useMemo(() => people.map(({ id }) => id), [people]))
  if (people.length === 0) return null
  return (
    <section aria-labelledby="choose-person" className="flex flex-col gap-1 px-2.5 pb-4">
      <h2 id="choose-person" className="note px-3 pt-4 pb-1 text-text-3">
        {t('messenger.choose_favourites')}
      </h2>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <PersonRow favourite={person} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const NO_PEOPLE: readonly UserInterlocutor[] = []

function useFavourites(): readonly UserInterlocutor[] {
  const { connection } = useAppServices()
  const { data } = useQuery({
    queryKey: ['messenger', 'favourites'],
    refetchOnMount: 'always',
    queryFn: async () => {
      const { items } = await connection.http.get('favourites_pagination', { page: 1 })
      storePeople(items)
      return items
    },
  })
  return data ?? NO_PEOPLE
}

function PersonRow({ favourite }: { favourite: UserInterlocutor }) {
  const { busy, write } = useWrite(favourite)
  const { nick, avatar, avatar_variants, status } = usePerson(favourite.id) ?? favourite
  return (
    <button
      type="button"
      disabled={busy}
      onClick={write}
      aria-label={t('person.write', { nick })}
      className="flex h-[72px] w-full items-center gap-3 rounded-row px-3 text-start hover:bg-surface-1"
    >
      <Avatar
        name=""
        src={avatar}
        srcSet={srcSetOf(avatar_variants)}
        size={48}
        {...presenceOf(status)}
      />
      <span className="ui min-w-0 flex-1 truncate font-[600]!">
        <bdi>{nick}</bdi>
      </span>
    </button>
  )
}

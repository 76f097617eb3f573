import type { Favourite } from '@duet/protocol'
import { EmptyState, Skeleton } from '@duet/ui'
import { PagedList } from '../../../shared/controls/paged-list.tsx'
import { t } from '../../../shared/i18n.ts'
import { usePerson } from '../../../shared/people/people.ts'
import { useFavourites } from '../../../shared/people/use-favourites.ts'
import { PersonAvatar } from '../../../shared/people/person-avatar.tsx'

export interface ChoosePersonProps {
  readonly onChoose: (person: Favourite) => void
  readonly busy?: boolean
}

/** The favourites in pages, online users first. A press chooses a favourite. */
export function ChoosePerson({ onChoose, busy }: ChoosePersonProps) {
  return (
    <PagedList
      pages={useFavourites()}
      small
      failed={t('favourites.failed')}
      skeleton={<LoadingPeople />}
      empty={<EmptyState title={t('favourites.empty')} text={t('messenger.no_favourites')} />}
    >
      {(favourites) => (
        <ul>
          {favourites.map((person) => (
            <li key={person.id}>
              <PersonRow favourite={person} busy={busy} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}

interface PersonRowProps extends ChoosePersonProps {
  readonly favourite: Favourite
}

function PersonRow({ favourite, busy, onChoose }: PersonRowProps) {
  const person = usePerson(favourite.id) ?? favourite
  const { nick } = person
  return (
    <button
      type="button"
      disabled={busy}
      onClick={() => onChoose(favourite)}
      aria-label={t('person.write_to', { nick })}
      className="flex h-[72px] w-full items-center gap-3 rounded-row px-3 text-start hover:bg-surface-1"
    >
      <PersonAvatar person={person} />
      <span className="ui min-w-0 flex-1 truncate font-[600]!">
        <bdi>{nick}</bdi>
      </span>
    </button>
  )
}

function LoadingPeople() {
  return (
    <div className="flex min-h-36 flex-col">
      {['first', 'second'].map((key) => (
        <span key={key} className="flex h-[72px] items-center gap-3 px-3">
          <Skeleton className="size-12 rounded-full!" />
          <Skeleton className="h-4 w-2/5" />
        </span>
      ))}
    </div>
  )
}

import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { Link } from 'react-router'
import type { UserInterlocutor } from '@duet/protocol'
import { Button, buttonLook, cx, EmptyState, Skeleton } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { usePerson } from '../../shared/people/people.ts'
import { PersonAvatar } from '../../shared/people/person-avatar.tsx'
import type { KnownPeople } from './use-people.ts'

interface PersonPickerProps {
  readonly people: KnownPeople
  readonly chosen: UserInterlocutor | undefined
  readonly onChoose: (person: UserInterlocutor) => void
}

/** The women that he may ask. On a phone a row that scrolls sideways. */
export function PersonPicker({ people, chosen, onChoose }: PersonPickerProps) {
  const { items, status, more, retry } = people
  if (status === 'loading' && items.length === 0)
    return <Skeleton className="h-24 rounded-card! lg:h-60" />
  if (status === 'failed' && items.length === 0)
    return (
      <div role="alert" className="panel flex flex-col items-center gap-3 p-5 text-center">
        <p className="body text-text-2">{t('dates.people_failed')}</p>
        <Button onClick={retry}>{t('action.retry')}</Button>
      </div>
    )
  if (items.length === 0)
    return (
      <EmptyState
        className="panel"
        icon={<HeartIcon size={40} weight="duotone" />}
        title={t('favourites.empty')}
        text={t('dates.no_people')}
        action={
          <Link to="/" className={buttonLook({ variant: 'secondary' })}>
            {t('action.start_chat')}
          </Link>
        }
      />
    )
  return (
    <div
      role="group"
      aria-label={t('dates.with')}
      className="panel flex min-w-0 gap-1 overflow-x-auto p-2 lg:max-h-[480px] lg:flex-col lg:overflow-y-auto"
    >
      {items.map((person) => (
        <PersonOption
          key={person.id}
          person={person}
          isChosen={person.id === chosen?.id}
          onChoose={onChoose}
        />
      ))}
      {more ? (
        <Button variant="quiet" onClick={more}>
          {t('action.show_more')}
        </Button>
      ) : null}
    </div>
  )
}

function PersonOption({
  person,
  isChosen,
  onChoose,
}: {
  person: UserInterlocutor
  isChosen: boolean
  onChoose: (person: UserInterlocutor) => void
}) {
  const current = usePerson(person.id) ?? person
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(person)}
      className={cx(
        'flex shrink-0 items-center gap-3 rounded-row p-2 text-start max-lg:w-20 max-lg:flex-col max-lg:gap-1.5 hover:bg-surface-2',
        isChosen && 'bg-surface-2 shadow-[inset_0_0_0_2px_var(--ember-hi)]',
      )}
    >
      <PersonAvatar person={current} />
      <bdi className="ui max-w-full min-w-0 truncate lg:flex-1">{current.nick}</bdi>
    </button>
  )
}

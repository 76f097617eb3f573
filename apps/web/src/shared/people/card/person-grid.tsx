import { Skeleton } from '@duet/ui'
import { PersonCard, type PersonCardProps } from './person-card.tsx'

/** The columns of a page of cards. */
export const CARD_GRID =
  'grid grid-cols-2 gap-2.5 md:grid-cols-3 md:gap-[18px] lg:grid-cols-4 min-[1280px]:grid-cols-5'

/** The cards of a list of users. */
export function PersonGrid<Person extends PersonCardProps['person']>({
  people,
  note,
  hasAllActions,
}: Pick<PersonCardProps, 'hasAllActions'> & {
  people: readonly Person[]
  note?: (person: Person) => string | undefined
}) {
  return (
    <ul className={CARD_GRID}>
      {people.map((person) => (
        <PersonCard
          key={person.id}
          person={person}
          note={note?.(person)}
          hasAllActions={hasAllActions}
        />
      ))}
    </ul>
  )
}

/** Grey cards in the place of a list that is fetched. */
export function LoadingCards() {
  return (
    <div className={CARD_GRID}>
      {Array.from({ length: 10 }, (_, place) => (
        <Skeleton key={place} className="aspect-[4/5] rounded-media!" />
      ))}
    </div>
  )
}

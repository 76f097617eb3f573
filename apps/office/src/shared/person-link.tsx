import { Link } from 'react-router'
import type { DeskPerson } from '@duet/protocol'
import { personName } from './person-name.ts'

/** The name of a person as a link to the page of this person. */
export function PersonLink({
  person,
  isAside = false,
  opensRow = false,
}: {
  person: Pick<DeskPerson, 'id' | 'nick'>
  /** Opens beside the case that is read, which stays open. */
  isAside?: boolean
  /** The row of a table is about this person: Enter on the row goes there. */
  opensRow?: boolean
}) {
  return (
    <Link
      data-open={opensRow || undefined}
      className="underline"
      to={`/users/${person.id}`}
      target={isAside ? '_blank' : undefined}
    >
      <bdi>{personName(person)}</bdi>
    </Link>
  )
}

import { Link } from 'react-router'
import type { DeskPerson } from '@duet/protocol'
import { personName } from './person-name.ts'

/** The name of a person as a link to the page of this person. */
export function PersonLink({
  person,
  isAside = false,
}: {
  person: Pick<DeskPerson, 'id' | 'nick'>
  /** Opens beside the case that is read, which stays open. */
  isAside?: boolean
}) {
  return (
    <Link className="underline" to={`/users/${person.id}`} target={isAside ? '_blank' : undefined}>
      <bdi>{personName(person)}</bdi>
    </Link>
  )
}

import { Link } from 'react-router'
import type { DeskPerson } from '@duet/protocol'
import { personName } from './person-name.ts'

/** The name of a person as a link to the page of this person. */
export function PersonLink({ person }: { person: Pick<DeskPerson, 'id' | 'nick'> }) {
  return (
    <Link className="underline" to={`/users/${person.id}`}>
      <bdi>{personName(person)}</bdi>
    </Link>
  )
}

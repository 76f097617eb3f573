import { Link } from 'react-router'
import type { DeskComplaint } from '@duet/protocol'
import { t } from '../../shared/texts.ts'

/** The name of a person as a link to the page of this person. */
export function PersonLink({ person: { id, nick } }: { person: DeskComplaint['accused'] }) {
  return (
    <Link className="underline" to={`/users/${id}`}>
      <bdi>{nick ?? t('office.person', { id })}</bdi>
    </Link>
  )
}

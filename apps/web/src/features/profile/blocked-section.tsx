import { FlagIcon } from '@phosphor-icons/react/dist/csr/Flag'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useQueryClient } from '@tanstack/react-query'
import { Avatar, Button, EmptyState, IconButton, Skeleton } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import type { Answer } from '@duet/protocol'
import { intlLocale, t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { report } from '../../shared/people/report.ts'
import { usePress } from '../../shared/controls/use-press.ts'

/** The users that the viewer has blocked. Each user has a button that unblocks the user. */
export function BlockedSection() {
  return (
    <div className="panel">
      <PagedList
        pages={usePages('blocked')}
        small
        failed={t('profile.blocked.failed')}
        skeleton={<Waiting />}
        empty={
          <EmptyState
            icon={<ProhibitIcon size={40} weight="duotone" />}
            title={t('profile.blocked.none')}
            text={t('profile.blocked.none_text')}
          />
        }
      >
        {(people) => (
          <ul className="divide-y divide-hair px-5">
            {people.map((person) => (
              <BlockedRow key={person.id} person={person} />
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

function BlockedRow({ person }: { person: Answer<'GET blocked'>['items'][number] }) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const since = new Date(person.create_time).toLocaleDateString(intlLocale(), {
    dateStyle: 'medium',
  })
  const nick = person.nick || t('profile.blocked.gone')
  const { busy, press: unblock } = usePress(async () => {
    await connection.act('UNBLOCK_USER', { user_id: person.id })
    await queries.invalidateQueries({ queryKey: ['blocked'] })
  })
  return (
    <li className="flex min-h-16 items-center gap-3.5 py-2.5">
      <Avatar name={person.nick} decorative src={person.avatar} size={44} />
      <span className="min-w-0 flex-1">
        <span className="ui block truncate text-text">
          <bdi>{nick}</bdi>
        </span>
        <span className="note block text-text-3">{t('profile.blocked.since', { since })}</span>
      </span>
      <IconButton
        variant="quiet"
        size={44}
        label={t('person.report_name', { nick })}
        icon={<FlagIcon size={18} />}
        onClick={() => report({ person: { id: person.id, nick } })}
      />
      <Button
        variant="outline"
        size={36}
        busy={busy}
        aria-label={t('profile.blocked.unblock_named', { nick })}
        onClick={() => void unblock()}
      >
        {t('profile.blocked.unblock')}
      </Button>
    </li>
  )
}

function Waiting() {
  return (
    <div className="flex items-center gap-3.5 p-5">
      <Skeleton className="size-11 rounded-full" />
      <Skeleton className="h-4 w-40" />
    </div>
  )
}

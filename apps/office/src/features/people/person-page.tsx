import { useQuery } from '@tanstack/react-query'
import { Link, Route, Routes, useParams } from 'react-router'
import type { PersonCard } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Tag } from '@duet/ui/controls/tag.tsx'
import { Avatar } from '@duet/ui/people/avatar.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { countryName } from '../../shared/translation/country-name.ts'
import { personName } from '../../shared/person-name.ts'
import { useStaff } from '../../shared/session.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { useFilters } from '../../shared/use-filters.ts'
import { ChildCase } from '../../shared/sanctions/child-case.tsx'
import { ImposeDialog } from '../../shared/sanctions/impose-dialog.tsx'
import './people-texts.ts'
import { PersonCalls } from './person-calls.tsx'
import { PersonDevices } from './person-devices.tsx'
import { PersonDialogs } from './person-dialogs.tsx'
import { PersonLinks } from './person-links.tsx'
import { PersonMoney } from './person-money.tsx'
import { PersonNotes } from './person-notes.tsx'
import { PersonOverview } from './person-overview.tsx'
import { PersonPictures } from './person-pictures.tsx'
import { PersonSanctions } from './person-sanctions.tsx'
import { PersonTabs } from './person-tabs.tsx'

/** Everything that the platform knows about a person, in tabs. */
export function PersonPage() {
  const id = parseId(useParams()['id'] ?? '') ?? 0
  const { data, error, refetch } = useQuery({
    queryKey: ['person', id],
    queryFn: () => api.get('v2/manager/users/{id}', { id }),
    enabled: id > 0,
    // Each fetch is a recorded look.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (id === 0) return <Banner tone="danger">{t('error.not_found')}</Banner>
  if (error) return <Banner tone="danger">{errorSentence(error)}</Banner>
  if (!data)
    return (
      <p role="status" className="p-4">
        {t('office.loading')}
      </p>
    )
  return (
    // Another person is another page: no open dialog and no written text stays.
    <div key={id} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <PersonHeader card={data} onDone={() => void refetch()} />
      <PersonTabs id={id} />
      <div className="flex flex-col gap-4 p-4">
        <Routes>
          <Route index element={<PersonOverview card={data} />} />
          <Route path="money" element={<PersonMoney person={data.user} />} />
          <Route path="calls" element={<PersonCalls person={data.user} />} />
          <Route path="pictures" element={<PersonPictures person={data.user} />} />
          <Route path="dialogs/*" element={<PersonDialogs card={data} />} />
          <Route path="sanctions" element={<PersonSanctions id={id} />} />
          <Route path="devices" element={<PersonDevices id={id} />} />
          <Route path="links" element={<PersonLinks linked={data.linked} />} />
          <Route path="notes" element={<PersonNotes id={id} />} />
        </Routes>
      </div>
    </div>
  )
}

function PersonHeader({ card, onDone }: { card: PersonCard; onDone: () => void }) {
  // In the address, to which an undo returns.
  const { value, filter } = useFilters()
  const { role } = useStaff()
  const { id, country, state, verified } = card.user
  const name = personName(card.user)
  return (
    <header className="flex flex-wrap items-center gap-3 border-b border-hair p-4">
      <Avatar decorative size={56} name={name} src={card.avatar} />
      <div className="min-w-0 flex-1 max-md:basis-[calc(100%-80px)]">
        <h1 className="truncate text-[calc(18rem/16)] font-semibold">
          <bdi>{card.age === null ? name : t('office.card.name', { name, age: card.age })}</bdi>{' '}
          <span className="text-text-3">#{id}</span>
        </h1>
        <p className="flex flex-wrap items-center gap-2 text-text-2">
          {[
            card.user.role === null
              ? ''
              : card.user.role === 'girl'
                ? t('word.woman')
                : t('word.man'),
            country ? countryName(country) : '',
          ]
            .filter((part) => part !== '')
            .join(' · ')}
          {verified && <Tag tone="ok">{t('office.person.verified')}</Tag>}
          {card.gifts_forbidden && <Tag tone="danger">{t('office.person.gifts_forbidden')}</Tag>}
          {state !== 'active' && (
            <Tag tone="danger">{textOr(`office.people.state.${state}`, state)}</Tag>
          )}
        </p>
      </div>
      <Link className="hit font-medium underline" to="/users">
        {t('office.people.search')}
      </Link>
      {role !== 'finance' && (
        <Button size={36} variant="secondary" onClick={() => filter('new', '1')}>
          {t('office.sanctions.new')}
        </Button>
      )}
      <div>
        <ChildCase person={card.user} />
      </div>
      {value('new') !== '' && role !== 'finance' && (
        <ImposeDialog
          user={String(id)}
          locale={card.user.locale}
          onClose={() => filter('new', '')}
          onDone={onDone}
        />
      )}
    </header>
  )
}

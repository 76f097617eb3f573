import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { OfficeUser } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { countryName } from '../../shared/translation/country-name.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { PageHeader } from '../../shared/page-header.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { TIME_WIDTH, type TableColumn } from '../../shared/table/table-column.ts'
import { t, textOr } from '../../shared/texts.ts'
import { useSettled } from '../../shared/use-settled.ts'
import { shortDay, shortTime } from '../../shared/times.ts'

/** Finds people. The text that is searched for is in the address of the page. */
export function PeopleSearch() {
  const [params, setParams] = useSearchParams()
  // The address renders too late for a field in which a person types fast.
  const [typed, type] = useState<string>()
  const text = typed ?? params.get('find') ?? ''
  const asked = useSettled(text.trim())
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  const found = useQuery({
    queryKey: ['people', asked],
    queryFn: ({ signal }) => api.get('v2/manager/users', { query: asked }, { signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const users = asked === '' ? [] : (found.data?.users ?? [])
  return (
    <>
      <PageHeader title={t('office.nav.users')} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        <Field
          ref={field}
          className="max-w-[560px]"
          type="search"
          label={t('office.people.search')}
          help={t('office.people.search_help')}
          maxLength={100}
          autoFocus
          value={text}
          onChange={({ target: { value } }) => {
            type(value)
            setParams(value === '' ? {} : { find: value }, { replace: true })
          }}
          onBlur={() => type(undefined)}
        />
        {found.error && <Banner tone="danger">{errorSentence(found.error)}</Banner>}
        {asked !== '' && found.isPending && <p role="status">{t('office.loading')}</p>}
        {asked !== '' && found.isSuccess && users.length === 0 && (
          <EmptyState title={t('office.people.none')} text={t('office.people.none_text')} />
        )}
        {users.length > 0 && (
          <DataTable<OfficeUser>
            name="people"
            hasKeys
            label={t('office.nav.users')}
            rowKey={({ id }) => id}
            rows={users}
            columns={columns()}
          />
        )}
      </div>
    </>
  )
}

function columns(): TableColumn<OfficeUser>[] {
  return [
    {
      key: 'nick',
      width: 160,
      header: t('word.nickname'),
      cell: (user) => <PersonLink opensRow person={user} />,
      mobile: 'main',
    },
    { key: 'id', width: 90, header: t('office.sanctions.user'), cell: ({ id }) => id },
    {
      key: 'email',
      width: 220,
      header: t('word.email'),
      cell: ({ email }) => email,
      mobile: 'second',
    },
    {
      key: 'role',
      width: 90,
      header: t('office.people.role'),
      cell: ({ role }) => (role === null ? '' : role === 'girl' ? t('word.woman') : t('word.man')),
    },
    {
      key: 'country',
      width: 130,
      header: t('office.people.country'),
      cell: ({ country }) => country && countryName(country),
    },
    {
      key: 'state',
      width: 110,
      header: t('office.sanctions.state'),
      cell: ({ state }) => textOr(`office.people.state.${state}`, state),
      mobile: 'end',
    },
    {
      key: 'since',
      width: 130,
      header: t('office.people.since'),
      cell: ({ create_time }) => shortDay(create_time),
    },
    {
      key: 'seen',
      width: TIME_WIDTH,
      header: t('office.people.seen'),
      cell: ({ last_visit }) => (last_visit ? shortTime(last_visit) : ''),
    },
  ]
}

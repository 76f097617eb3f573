import { useSearchParams } from 'react-router'
import type { OfficeUser, PersonCall } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { api } from '../../shared/api.ts'
import { t, textOr } from '../../shared/texts.ts'
import { elapsedTime, shortTime } from '../../shared/times.ts'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { PersonLink } from '../../shared/person-link.tsx'
import { SourceDialog } from './source-dialog.tsx'

/** The calls of a person. The address names the call whose course is open: findings and appeals lead there. */
export function PersonCalls({ person }: { person: OfficeUser }) {
  const { id } = person
  const [params, setParams] = useSearchParams()
  const opened = Number(params.get('call') ?? '')
  const open = (call?: number) => setParams(call ? { call: String(call) } : {}, { replace: true })
  return (
    <>
      <PagedTable<PersonCall>
        name="calls"
        label={t('office.person.calls')}
        none={t('office.person.no_calls')}
        queryKey={['person-calls', id]}
        fetchPage={(page) => api.get('v2/manager/users/{id}/calls', { id, page })}
        rowKey={({ session_id }) => session_id}
        columns={[
          {
            key: 'at',
            header: t('office.audit.at'),
            cell: ({ opened_at }) => shortTime(opened_at),
            mobile: 'second',
          },
          {
            key: 'partner',
            header: t('office.person.partner'),
            cell: ({ partner }) => <PersonLink person={partner} />,
            mobile: 'main',
          },
          {
            key: 'kind',
            header: t('office.sanctions.kind'),
            cell: ({ is_private }) =>
              is_private ? t('office.facts.private') : t('office.facts.public'),
          },
          {
            key: 'length',
            header: t('office.person.length'),
            cell: ({ opened_at, closed_at }) =>
              closed_at ? elapsedTime(opened_at, closed_at) : t('office.facts.running'),
            mobile: 'end',
          },
          {
            key: 'paid',
            header: t('office.facts.paid'),
            cell: ({ paid_seconds }) =>
              t('office.facts.minutes', { n: Math.ceil(paid_seconds / 60) }),
          },
          {
            key: 'ended',
            header: t('office.facts.ended'),
            cell: ({ reason }) => reason && textOr(`office.call_end.${reason}`, reason),
          },
          {
            key: 'open',
            header: t('office.person.open_picture'),
            isUnseen: true,
            cell: ({ session_id }) => (
              <Button data-open size={30} variant="outline" onClick={() => open(session_id)}>
                {t('office.person.open_picture')}
              </Button>
            ),
            mobile: 'end',
          },
        ]}
      />
      {Number.isSafeInteger(opened) && opened > 0 && (
        <SourceDialog person={person} cause="call" id={opened} onClose={() => open()} />
      )}
    </>
  )
}

import type { PersonCard } from '@duet/protocol'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { PersonLink } from '../../shared/person-link.tsx'

/** Accounts with something in common. Families and cafés share a device or a network too. */
export function PersonLinks({ linked }: Pick<PersonCard, 'linked'>) {
  if (linked.length === 0) return <EmptyState title={t('office.person.no_links')} />
  return (
    <>
      <p className="text-text-2">{t('office.person.links_text')}</p>
      <DataTable<PersonCard['linked'][number]>
        name="links"
        hasKeys
        label={t('office.person.links')}
        rowKey={({ user }) => user.id}
        rows={linked}
        columns={[
          {
            key: 'user',
            header: t('office.person.account'),
            cell: ({ user }) => <PersonLink opensRow person={user} />,
            mobile: 'main',
          },
          {
            key: 'state',
            header: t('office.sanctions.state'),
            cell: ({ is_sanctioned }) =>
              is_sanctioned && (
                <span className="text-danger">{t('office.people.state.sanctioned')}</span>
              ),
            mobile: 'end',
          },
          {
            key: 'shares',
            width: 420,
            header: t('office.person.shares'),
            cell: ({ shares }) =>
              shares
                .map(({ signal, at, is_common }) =>
                  t('office.person.share', {
                    signal: textOr(`office.signal.${signal}`, signal),
                    at: shortTime(at),
                    common: String(is_common),
                  }),
                )
                .join(', '),
            mobile: 'second',
          },
        ]}
      />
    </>
  )
}

import { useState } from 'react'
import type { PersonCard, PersonDialog } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { api } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { DialogReader } from './dialog-reader.tsx'
import { PagedTable } from '../../shared/table/paged-table.tsx'
import { PersonLink } from '../../shared/person-link.tsx'

/** The partners of a person. A dialog opens with a reason, which is kept in the audit log. */
export function PersonDialogs({ card: { user } }: { card: PersonCard }) {
  const [opened, open] = useState<PersonDialog>()
  const { id } = user
  return (
    <>
      <p className="text-text-2">{t('office.person.dialogs_text')}</p>
      <PagedTable<PersonDialog>
        name="dialogs"
        label={t('office.person.dialogs')}
        none={t('office.person.no_dialogs')}
        queryKey={['person-dialogs', id]}
        fetchPage={(page) => api.get('v2/manager/users/{id}/dialogs', { id, page })}
        rowKey={({ partner }) => partner.id}
        columns={[
          {
            key: 'partner',
            header: t('office.person.partner'),
            cell: ({ partner }) => <PersonLink person={partner} />,
            mobile: 'main',
          },
          {
            key: 'messages',
            header: t('word.messages'),
            number: true,
            cell: ({ messages }) => messages,
          },
          {
            key: 'last',
            header: t('office.person.last_message'),
            cell: ({ last_at }) => shortTime(last_at),
            mobile: 'second',
          },
          {
            key: 'open',
            header: t('office.person.open_dialog'),
            isUnseen: true,
            cell: (dialog) => (
              <Button data-open size={30} variant="outline" onClick={() => open(dialog)}>
                {t('office.person.open_dialog')}
              </Button>
            ),
            mobile: 'end',
          },
        ]}
      />
      {opened && (
        <DialogReader person={user} partner={opened.partner} onClose={() => open(undefined)} />
      )}
    </>
  )
}

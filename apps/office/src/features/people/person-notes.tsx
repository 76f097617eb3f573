import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonNote } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { PagedTable } from '../../shared/table/paged-table.tsx'

export function PersonNotes({ id }: { id: number }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [key, setKey] = useState(() => crypto.randomUUID())
  const add = useMutation({
    mutationFn: () =>
      api.post('v2/manager/users/{id}/notes', { id, text: text.trim() }, { idempotency_key: key }),
    onSuccess: async () => {
      setText('')
      setKey(crypto.randomUUID())
      await queries.invalidateQueries({ queryKey: ['person-notes', id] })
    },
  })
  return (
    <>
      <form
        className="flex max-w-[640px] flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate()
        }}
      >
        {add.error && <Banner tone="danger">{errorSentence(add.error)}</Banner>}
        <TextArea
          label={t('office.person.new_note')}
          rows={3}
          maxLength={2000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          className="self-start"
          type="submit"
          size={36}
          variant="primary"
          disabled={text.trim() === ''}
          busy={add.isPending}
        >
          {t('office.person.add_note')}
        </Button>
      </form>
      <PagedTable<PersonNote>
        name="notes"
        label={t('office.person.notes')}
        none={t('office.person.no_notes')}
        queryKey={['person-notes', id]}
        fetchPage={(page) => api.get('v2/manager/users/{id}/notes', { id, page })}
        rowKey={(note) => note.id}
        columns={[
          {
            key: 'at',
            header: t('office.audit.at'),
            cell: ({ at }) => shortTime(at),
            mobile: 'end',
          },
          {
            key: 'author',
            header: t('office.audit.who'),
            cell: ({ author }) => author,
            mobile: 'second',
          },
          {
            key: 'text',
            width: 520,
            header: t('office.decide.note'),
            cell: (note) => <bdi className="break-words">{note.text}</bdi>,
            mobile: 'main',
          },
        ]}
      />
    </>
  )
}

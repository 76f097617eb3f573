import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DeskPerson } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, errorSentence } from '../api.ts'
import { personName } from '../person-name.ts'
import { useStaff } from '../session.tsx'
import { t } from '../texts.ts'
import './child-texts.ts'

interface ChildCaseProps {
  person: Pick<DeskPerson, 'id' | 'nick'>
  /** Several people are on the view: the button names its person. */
  isNamed?: boolean
}

/** Opens a case about a child for a person, wherever staff see signs of one. */
export function ChildCase({ person, isNamed = false }: ChildCaseProps) {
  const [isOpen, setOpen] = useState(false)
  const { role } = useStaff()
  if (role === 'finance') return null
  return (
    <>
      <Button className="self-start" size={36} variant="outline" onClick={() => setOpen(true)}>
        {isNamed ? t('office.child.about', { name: personName(person) }) : t('office.raise.open')}
      </Button>
      {isOpen && <ChildCaseDialog person={person} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Says what follows, asks what was seen, and names the case afterwards. */
function ChildCaseDialog({
  person,
  onClose,
}: Pick<ChildCaseProps, 'person'> & { onClose: () => void }) {
  const queries = useQueryClient()
  const { role } = useStaff()
  const [note, setNote] = useState('')
  const name = personName(person)
  const start = useMutation({
    mutationFn: () => api.post('v2/manager/child-cases', { user_id: person.id, note: note.trim() }),
    onSuccess: () => {
      for (const queryKey of [['queue'], ['queues'], ['statements'], ['person', person.id]])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const { data } = start
  return (
    <Dialog
      open
      role="alertdialog"
      title={t('office.child.title', { name })}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        !data && (
          <Button
            variant="danger"
            size={44}
            disabled={note.trim() === ''}
            busy={start.isPending}
            onClick={() => start.mutate()}
          >
            {t('office.raise.confirm')}
          </Button>
        )
      }
    >
      {start.error && <Banner tone="danger">{errorSentence(start.error)}</Banner>}
      {data ? (
        <div role="status" className="flex flex-col items-start gap-3">
          <p>
            {t(data.is_new ? 'office.child.opened' : 'office.child.former', {
              name,
              id: String(data.complaint_id),
            })}
          </p>
          {role === 'moderator' ? (
            <p className="text-text-2">{t('office.child.manager')}</p>
          ) : (
            <Link className="underline" to={`/complaints?case=${data.complaint_id}`}>
              {t('office.child.case')}
            </Link>
          )}
        </div>
      ) : (
        <div className="flex flex-col gap-4">
          <ul className="flex list-disc flex-col gap-2 ps-5">
            <li>{t('office.child.call', { name })}</li>
            <li>{t('office.child.suspended', { name })}</li>
            <li>{t('office.child.sealed')}</li>
            <li>{t('office.child.first')}</li>
          </ul>
          <TextArea
            autoFocus
            required
            label={t('office.child.note')}
            help={t('office.child.note_help', { name })}
            dir="auto"
            rows={3}
            maxLength={limits.comment_characters}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
      )}
    </Dialog>
  )
}

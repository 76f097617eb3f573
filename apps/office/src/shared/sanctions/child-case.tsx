import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
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
  const name = personName(person)
  const start = useMutation({
    mutationFn: (note: string) => api.post('v2/manager/child-cases', { user_id: person.id, note }),
    onSuccess: () => {
      for (const queryKey of [['queue'], ['queues'], ['statements'], ['person', person.id]])
        void queries.invalidateQueries({ queryKey })
    },
  })
  const { data } = start
  return (
    <ChildDialog
      title={t('office.child.title', { name })}
      follows={[
        t('office.child.call', { name }),
        t('office.child.suspended', { name }),
        t('office.child.sealed'),
        t('office.child.first'),
      ]}
      start={start}
      noteHelp={t('office.child.note_help', { name })}
      answer={
        data && (
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
        )
      }
      onClose={onClose}
    />
  )
}

interface ChildDialogProps {
  title: string
  follows: readonly string[]
  /** Says to staff who reads the note. */
  noteHelp: string
  start: {
    readonly error: Error | null
    readonly isPending: boolean
    readonly mutate: (note: string) => void
  }
  /** Stands in the place of the question afterwards. */
  answer?: ReactNode
  onClose: () => void
}

/** Says what follows from a case about a child before it begins, and asks what was seen. */
export function ChildDialog(props: ChildDialogProps) {
  const { title, follows, noteHelp, start, answer, onClose } = props
  const [note, setNote] = useState('')
  return (
    <Dialog
      open
      role="alertdialog"
      title={title}
      closeLabel={t('action.close')}
      onClose={onClose}
      actions={
        !answer && (
          <Button
            variant="danger"
            size={44}
            disabled={note.trim() === ''}
            busy={start.isPending}
            onClick={() => start.mutate(note.trim())}
          >
            {t('office.raise.confirm')}
          </Button>
        )
      }
    >
      {start.error && <Banner tone="danger">{errorSentence(start.error)}</Banner>}
      {answer ?? (
        <div className="flex flex-col gap-4">
          <ul className="flex list-disc flex-col gap-2 ps-5">
            {follows.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <TextArea
            autoFocus
            required
            label={t('office.child.note')}
            help={noteHelp}
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

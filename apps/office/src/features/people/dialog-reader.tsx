import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, OfficeUser, PersonDialog } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Field } from '@duet/ui/fields/field.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { api, sentenceOf } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

type Line = Answer<'POST v2/manager/users/{id}/dialogs/{partner}'>['lines'][number]

interface ReaderProps {
  person: OfficeUser
  partner: PersonDialog['partner']
  onClose: () => void
}

/** Asks why the dialog is opened, then shows its messages from the newest back. */
export function DialogReader({ person, partner, onClose }: ReaderProps) {
  const [reason, setReason] = useState('')
  const [lines, setLines] = useState<readonly Line[]>()
  const read = useMutation({
    mutationFn: () =>
      api.post('v2/manager/users/{id}/dialogs/{partner}', {
        id: person.id,
        partner: partner.id,
        reason: reason.trim(),
        ...(lines?.[0] && { before: lines[0].id }),
      }),
    onSuccess: (page) => setLines([...page.lines, ...(lines ?? [])]),
  })
  const nameOf = ({ id, nick }: { id: number; nick: string | null }) =>
    nick ?? t('office.person', { id })
  return (
    <Dialog
      open
      size={640}
      title={t('office.person.dialog_title', { one: nameOf(person), other: nameOf(partner) })}
      closeLabel={t('action.close')}
      onClose={onClose}
    >
      {read.error && <Banner tone="danger">{sentenceOf(read.error)}</Banner>}
      {lines === undefined ? (
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            read.mutate()
          }}
        >
          <Field
            label={t('office.person.why')}
            help={t('office.person.why_help')}
            required
            autoFocus
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <Button
            type="submit"
            size={44}
            variant="primary"
            disabled={reason.trim() === ''}
            busy={read.isPending}
          >
            {t('office.person.read_dialog')}
          </Button>
        </form>
      ) : (
        <>
          {read.data?.more && (
            <Button
              size={36}
              variant="secondary"
              busy={read.isPending}
              onClick={() => read.mutate()}
            >
              {t('action.show_more')}
            </Button>
          )}
          <ol className="flex flex-col">
            {lines.map((line) => (
              <li
                key={line.id}
                className={cx('grid gap-x-3 px-2 py-1.5', line.is_masked && 'bg-danger-lo')}
              >
                <span className="text-text-2">
                  <bdi>{nameOf(line.sender_id === person.id ? person : partner)}</bdi>{' '}
                  <time className="text-text-3" dateTime={line.at}>
                    {shortTime(line.at)}
                  </time>
                  {line.is_masked && (
                    <span className="text-danger"> {t('office.transcript.masked')}</span>
                  )}
                </span>
                <bdi className="break-words">
                  {line.text === '' ? t('office.person.no_text', { kind: line.kind }) : line.text}
                </bdi>
              </li>
            ))}
          </ol>
        </>
      )}
    </Dialog>
  )
}

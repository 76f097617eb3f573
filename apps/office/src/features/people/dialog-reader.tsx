import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OfficeUser, PersonDialog } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { TranslatedTexts } from '../../shared/translation/translated-texts.tsx'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { t } from '../../shared/texts.ts'
import { ChildCase } from '../../shared/sanctions/child-case.tsx'
import { personName } from '../../shared/person-name.ts'
import { DialogLine, type ReadLine } from './dialog-line.tsx'

interface ReaderProps {
  person: OfficeUser
  partner: PersonDialog['partner']
  /** The message that the reader begins with; without it the newest. */
  upTo?: number
  onClose: () => void
}

/** Asks why the dialog is opened, then shows its messages from the newest back. */
export function DialogReader({ person, partner, upTo, onClose }: ReaderProps) {
  const [reason, setReason] = useState('')
  const [lines, setLines] = useState<readonly ReadLine[]>()
  const before = lines?.[0]?.id ?? (upTo === undefined ? undefined : upTo + 1)
  const read = useMutation({
    mutationFn: (why: string) =>
      api.post('v2/manager/users/{id}/dialogs/{partner}', {
        id: person.id,
        partner: partner.id,
        reason: why,
        before,
      }),
    onSuccess: (page) => setLines([...page.lines, ...(lines ?? [])]),
  })
  const markRemoved = (id: number) =>
    setLines((all) => all?.map((one) => (one.id === id ? { ...one, is_removed: true } : one)))
  return (
    <Dialog
      open
      size={640}
      title={t('office.person.dialog_title', {
        one: personName(person),
        other: personName(partner),
      })}
      closeLabel={t('action.close')}
      onClose={onClose}
    >
      {read.error && <Banner tone="danger">{errorSentence(read.error)}</Banner>}
      {lines === undefined ? (
        <ReasonForm
          autoFocus
          label={t('office.person.why')}
          help={t('office.person.why_help')}
          press={t('office.person.read_dialog')}
          isBusy={read.isPending}
          onSubmit={(given) => {
            setReason(given)
            read.mutate(given)
          }}
        />
      ) : (
        <TranslatedTexts texts={lines.map(({ text }) => text)}>
          <div className="flex flex-wrap gap-2">
            <ChildCase isNamed person={person} />
            <ChildCase isNamed person={partner} />
          </div>
          {read.data?.more && (
            <Button
              size={36}
              variant="secondary"
              busy={read.isPending}
              onClick={() => read.mutate(reason)}
            >
              {t('action.show_more')}
            </Button>
          )}
          <ol className="flex flex-col">
            {lines.map((line) => (
              <DialogLine
                key={line.id}
                line={line}
                sender={line.sender_id === person.id ? person : partner}
                onRemoved={() => markRemoved(line.id)}
              />
            ))}
          </ol>
        </TranslatedTexts>
      )}
    </Dialog>
  )
}

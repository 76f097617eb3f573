import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskComplaint } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { api, errorSentence } from '../../shared/api.ts'
import { t } from '../../shared/texts.ts'
import '../../shared/sanctions/child-texts.ts'
import { personName } from '../../shared/person-name.ts'

/** Makes a complaint about something else one about a minor, after a question that says what follows. */
export function RaiseCase({ complaint }: { complaint: DeskComplaint }) {
  const { id, accused, reason, decision } = complaint
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const [note, setNote] = useState('')
  const raise = useMutation({
    mutationFn: () => api.post('v2/manager/complaints/{id}/raise', { id, note: note.trim() }),
    onSuccess: async () => {
      setAsked(false)
      await queries.invalidateQueries({ queryKey: ['queue', 'complaints'] })
      await queries.invalidateQueries({ queryKey: ['complaint', id] })
    },
  })
  if (reason === 'child' || decision !== null) return null
  return (
    <>
      <Button className="self-start" size={36} variant="outline" onClick={() => setAsked(true)}>
        {t('office.raise.open')}
      </Button>
      <Dialog
        open={isAsked}
        role="alertdialog"
        title={t('office.raise.title')}
        closeLabel={t('action.close')}
        onClose={() => setAsked(false)}
        actions={
          <Button
            variant="danger"
            size={44}
            disabled={note.trim() === ''}
            busy={raise.isPending}
            onClick={() => raise.mutate()}
          >
            {t('office.raise.confirm')}
          </Button>
        }
      >
        <ul className="flex list-disc flex-col gap-2 ps-5">
          <li>{t('office.raise.call')}</li>
          <li>{t('office.raise.suspended', { name: personName(accused) })}</li>
          <li>{t('office.raise.sealed')}</li>
          <li>{t('office.raise.first')}</li>
        </ul>
        <TextArea
          required
          label={t('office.child.note')}
          help={t('office.raise.note_help')}
          dir="auto"
          rows={3}
          maxLength={limits.comment_characters}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        {raise.error && <Banner tone="danger">{errorSentence(raise.error)}</Banner>}
      </Dialog>
    </>
  )
}

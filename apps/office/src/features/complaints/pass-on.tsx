import { useState } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api } from '../../shared/api.ts'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'

/** A moderator leaves the case to a manager, who reads the note. */
export function PassOn({ shown, onPassed }: { shown: ComplaintCase; onPassed: () => void }) {
  const { id, passed } = shown.complaint
  const { role } = useStaff()
  const { decide } = usePending()
  const [note, setNote] = useState('')
  if (passed) return <Banner>{t('office.pass.noted', passed)}</Banner>
  if (role !== 'moderator') return null
  const pass = () => {
    const send = () => api.post('v2/manager/complaints/{id}/pass', { id, note: note.trim() })
    decide({ id: String(id), says: t('office.pass.press'), send }, 'now')
    onPassed()
  }
  return (
    <section className="flex shrink-0 flex-col gap-2">
      <TextArea
        label={t('office.pass.note')}
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button
        className="self-start"
        size={36}
        variant="secondary"
        disabled={note.trim() === ''}
        onClick={pass}
      >
        {t('office.pass.press')}
      </Button>
    </section>
  )
}

import { useRef, useState } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { TextArea } from '@duet/ui/fields/text-area.tsx'
import { api } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'

/** A moderator leaves the case to a manager, who reads the note. */
export function PassOn({ shown, onPassed }: { shown: ComplaintCase; onPassed: () => void }) {
  const { id, passed } = shown.complaint
  const { role } = useStaff()
  const { decide } = usePending()
  const [note, setNote] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useKeys({ p: () => field.current?.focus() })
  if (passed) return <Banner>{t('office.pass.noted', passed)}</Banner>
  if (role !== 'moderator') return null
  const pass = () => {
    if (note.trim() === '') return
    const send = () => api.post('v2/manager/complaints/{id}/pass', { id, note: note.trim() })
    decide({ id: String(id), says: t('office.pass.press'), send }, 'now')
    onPassed()
  }
  return (
    <section className="flex shrink-0 flex-col gap-2">
      <TextArea
        ref={field}
        label={t('office.pass.note')}
        rows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          // In this field the key passes the case on, and sends no decision.
          event.preventDefault()
          pass()
        }}
      />
      <Button
        className="self-start"
        size={36}
        variant="secondary"
        disabled={note.trim() === ''}
        onClick={pass}
      >
        {t('office.pass.press')} <KeyCap>P</KeyCap>
      </Button>
    </section>
  )
}

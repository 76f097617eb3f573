import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeskComplaint } from '@duet/protocol'
import { Button } from '@duet/ui/controls/button.tsx'
import { api } from '../../shared/api.ts'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import { ChildDialog } from '../../shared/sanctions/child-case.tsx'
import { personName } from '../../shared/person-name.ts'

/** Makes a complaint about something else one about a minor, after a question that says what follows. */
export function RaiseCase({ complaint }: { complaint: DeskComplaint }) {
  const { id, accused, reason, decision } = complaint
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const raise = useMutation({
    mutationFn: (note: string) => api.post('v2/manager/complaints/{id}/raise', { id, note }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['queue', 'complaints'] })
      await queries.invalidateQueries({ queryKey: ['complaint', id] })
    },
  })
  const { role } = useStaff()
  const close = () => {
    setAsked(false)
    raise.reset()
  }
  return (
    <>
      {reason !== 'child' && decision === null && (
        <Button className="self-start" size={36} variant="outline" onClick={() => setAsked(true)}>
          {t('office.raise.open')}
        </Button>
      )}
      {isAsked && (
        <ChildDialog
          title={t('office.raise.title')}
          follows={[
            t('office.raise.call'),
            t('office.raise.suspended', { name: personName(accused) }),
            t('office.raise.sealed'),
            t('office.raise.first'),
          ]}
          noteHelp={t('office.raise.note_help')}
          start={raise}
          answer={
            raise.isSuccess ? (
              <div role="status" className="flex flex-col gap-3">
                <p>{t('office.raise.done')}</p>
                {role === 'moderator' && <p className="text-text-2">{t('office.child.manager')}</p>}
              </div>
            ) : undefined
          }
          onClose={close}
        />
      )}
    </>
  )
}

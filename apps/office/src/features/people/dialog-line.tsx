import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, OfficeUser, PersonDialog } from '@duet/protocol'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { api } from '../../shared/api.ts'
import { personName } from '../../shared/person-name.ts'
import { ReasonForm } from '../../shared/reason-form.tsx'
import { ReasonSelect } from '../../shared/sanctions/decision-fields.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { UserText } from '../../shared/translation/translated-texts.tsx'

export type ReadLine = Answer<'POST v2/manager/users/{id}/dialogs/{partner}'>['lines'][number]

interface LineProps {
  line: ReadLine
  sender: OfficeUser | PersonDialog['partner']
  onRemoved: () => void
}

/** A line of a dialog. A text or picture is removed with the reason that its author reads. */
export function DialogLine({ line, sender, onRemoved }: LineProps) {
  const [isRemoving, setRemoving] = useState(false)
  const { is_masked, is_removed } = line
  const isWritten = line.kind === 'text' || line.kind === 'image'
  return (
    <li className={cx('grid gap-x-3 px-2 py-1.5', is_masked && 'bg-danger-lo')}>
      <span className="flex flex-wrap items-center gap-x-1 text-text-2">
        <bdi>{personName(sender)}</bdi>{' '}
        <time className="text-text-3" dateTime={line.at}>
          {shortTime(line.at)}
        </time>
        {is_masked && <span className="text-danger">{t('office.timeline.masked')}</span>}
        {is_removed && <span className="text-danger">{t('office.person.message_removed')}</span>}
        {isWritten && !is_removed && (
          <Button
            className="ms-auto"
            size={30}
            variant="quiet"
            aria-expanded={isRemoving}
            onClick={() => setRemoving(!isRemoving)}
          >
            {t('action.remove')}
          </Button>
        )}
      </span>
      <span className="break-words">
        {line.text === '' ? (
          t('office.person.no_text', { kind: line.kind })
        ) : (
          <UserText>{line.text}</UserText>
        )}
      </span>
      {isRemoving && !is_removed && <RemoveForm id={line.id} onRemoved={onRemoved} />}
    </li>
  )
}

function RemoveForm({ id, onRemoved }: { id: number; onRemoved: () => void }) {
  const [reason, setReason] = useState<(typeof ruleNames)[number]>('other')
  const remove = useMutation({
    mutationFn: (comment: string) =>
      api.post('v2/manager/messages/{id}/remove', { id, reason, comment }),
    onSuccess: onRemoved,
  })
  return (
    <div className="flex flex-col gap-3 py-2">
      <ReasonSelect names={ruleNames} value={reason} onChange={setReason} />
      <ReasonForm
        label={t('office.sanctions.reads')}
        press={t('action.remove')}
        isBusy={remove.isPending}
        error={remove.error}
        onSubmit={remove.mutate}
      />
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, OfficeUser, PersonDialog, RuleName } from '@duet/protocol'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { Button } from '@duet/ui/controls/button.tsx'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { api, errorSentence } from '../../shared/api.ts'
import { personName } from '../../shared/person-name.ts'
import { ReasonSelect } from '../../shared/sanctions/decision-fields.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { UserText } from '../../shared/translation/translated-texts.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'

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
      {isRemoving && !is_removed && (
        <RemoveForm line={line} sender={sender} onRemoved={onRemoved} />
      )}
    </li>
  )
}

interface RemoveProps {
  line: ReadLine
  sender: LineProps['sender']
  onRemoved: () => void
}

/** The broken rule, and the text that the author reads, which begins with a template in the author's language. */
function RemoveForm({ line: { id }, sender, onRemoved }: RemoveProps) {
  const [reason, setReason] = useState<RuleName>()
  const reply = useReply(sender.locale)
  const remove = useMutation({
    mutationFn: (given: RuleName) =>
      api.post('v2/manager/messages/{id}/remove', {
        id,
        reason: given,
        comment: reply.text.trim(),
      }),
    onSuccess: onRemoved,
  })
  const choose = (given: RuleName) => {
    setReason(given)
    // The template is the same for every rule.
    if (reason === undefined) reply.propose(t('office.person.message_text'))
  }
  return (
    <div className="flex flex-col gap-3 py-2">
      {remove.error && <Banner tone="danger">{errorSentence(remove.error)}</Banner>}
      <ReasonSelect names={ruleNames} value={reason} onChange={choose} />
      {reason !== undefined && (
        <>
          <ReplyField
            label={t('office.decide.reads', { name: personName(sender) })}
            reply={reply}
            rows={4}
          />
          <Button
            className="self-start"
            size={44}
            variant="secondary"
            disabled={reply.text.trim() === '' || reply.isTranslating}
            busy={remove.isPending}
            onClick={() => remove.mutate(reason)}
          >
            {t('office.person.remove_message')}
          </Button>
        </>
      )}
    </div>
  )
}

import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { useState } from 'react'
import { isRefused } from '@duet/client'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Button, Dialog, RadioRows, TextArea } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useBlock } from '../../shared/people/use-block.ts'
import { COMPLAINT_REASONS, type Reason } from './complaint-reasons.ts'

type DialogProps = OpenDialogProps<'complaint'>

/** Complains of a user: the reason, a comment, and then the number of the report. */
export function ComplaintDialog(props: DialogProps) {
  const [sent, setSent] = useState<number>()
  return sent === undefined ? (
    <ComplaintForm {...props} onSent={setSent} />
  ) : (
    <ComplaintSent {...props} complaintId={sent} />
  )
}

function ComplaintForm({
  input,
  open,
  close,
  onSent,
}: DialogProps & { onSent: (complaintId: number) => void }) {
  const { person, in_call } = input
  const [reason, setReason] = useState<Reason | null>(null)
  const [comment, setComment] = useState('')
  const { busy, problem, send } = useSend(input, onSent)
  const isOver = [...comment].length > limits.comment_characters
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t('person.report_name', { nick: person.nick })}
      description={t(in_call ? 'complaint.text_call' : 'complaint.text')}
      closeLabel={t('action.close')}
      actions={
        <div className="flex w-full flex-col gap-3">
          {problem ? (
            <p role="alert" className="note text-danger">
              {problem}
            </p>
          ) : null}
          <Button
            variant="primary"
            size={54}
            wide
            busy={busy}
            disabled={reason === null || isOver}
            onClick={() => reason && void send(reason, comment)}
          >
            {t('complaint.send')}
          </Button>
        </div>
      }
    >
      <RadioRows
        label={t('complaint.reason')}
        options={COMPLAINT_REASONS.map((value) => ({
          value,
          label: t(`complaint.reason.${value}`),
          ...(value === 'child' && {
            help: t(in_call ? 'complaint.child_call' : 'complaint.child'),
          }),
        }))}
        value={reason}
        onChange={setReason}
      />
      <TextArea
        className="mt-5"
        label={t('complaint.comment')}
        rows={3}
        value={comment}
        counter={t('complaint.counter', {
          count: [...comment].length,
          limit: limits.comment_characters,
        })}
        over={isOver}
        onChange={(event) => setComment(event.target.value)}
      />
    </Dialog>
  )
}

function useSend(
  { person, session_id, media_id, message_id }: DialogProps['input'],
  onSent: (complaintId: number) => void,
) {
  const { connection } = useAppServices()
  const [problem, setProblem] = useState<string>()
  const { busy, press } = usePress(async (reason: Reason, comment: string) => {
    setProblem(undefined)
    try {
      const { complaint_id } = await connection.act('TO_COMPLAIN', {
        reason,
        comment,
        user_id: person.id,
        ...(session_id !== undefined && { session_id }),
        ...(media_id !== undefined && { media_id }),
        ...(message_id !== undefined && { message_id }),
      })
      onSent(complaint_id)
    } catch (error) {
      if (!isRefused(error, 'TO_COMPLAIN', 'key_reused')) throw error
      setProblem(t('complaint.again'))
    }
  })
  return { busy, problem, send: press }
}

function ComplaintSent({
  input: { person },
  open,
  close,
  complaintId,
}: DialogProps & { complaintId: number }) {
  const { busy, block } = useBlock(person, () => close())
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      align="center"
      emblem={<CheckCircleIcon size={44} weight="fill" className="text-ok" />}
      title={t('complaint.sent')}
      description={t('complaint.sent_text', { id: complaintId })}
      actions={
        <div className="flex w-full flex-col gap-3">
          <Button variant="primary" size={54} wide onClick={() => close()}>
            {t('action.close')}
          </Button>
          <Button variant="quiet" wide busy={busy} onClick={block}>
            {t('person.block_name', { nick: person.nick })}
          </Button>
        </div>
      }
    />
  )
}

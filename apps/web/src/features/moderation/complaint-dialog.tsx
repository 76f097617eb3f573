import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { useState } from 'react'
import { Link } from 'react-router'
import { isRefused } from '@duet/client'
import type { Ack } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { Button, buttonLook, Dialog, RadioRows, TextArea } from '@duet/ui'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useLeaveDialog } from '../../shared/navigation/use-leave-dialog.ts'
import { formatDay } from '../../shared/texts/format-day.ts'
import { useBlock } from '../../shared/people/use-block.ts'
import { COMPLAINT_REASONS, type Reason } from './complaint-reasons.ts'

type DialogProps = OpenDialogProps<'complaint'>
type SentComplaint = Ack<'TO_COMPLAIN'>

/** Complains of a user: the reason, a comment, and then the number of the report. */
export function ComplaintDialog(props: DialogProps) {
  const [sent, setSent] = useState<SentComplaint>()
  return sent === undefined ? (
    <ComplaintForm {...props} onSent={setSent} />
  ) : (
    <ComplaintSent {...props} sent={sent} />
  )
}

function ComplaintForm({
  input,
  open,
  close,
  onSent,
}: DialogProps & { onSent: (sent: SentComplaint) => void }) {
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
          help: reasonHelp(value, input),
        }))}
        value={reason}
        onChange={setReason}
      />
      {reason === 'intimate_image' && input.media_id === undefined ? (
        <PictureForm close={close} />
      ) : null}
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

function reasonHelp(reason: Reason, { in_call, media_id }: DialogProps['input']) {
  if (reason === 'child') return t(in_call ? 'complaint.child_call' : 'complaint.child')
  return reason === 'intimate_image' && media_id !== undefined ? t('complaint.picture') : undefined
}

/** A complaint that names no picture hides none. */
function PictureForm({ close }: Pick<DialogProps, 'close'>) {
  const leave = useLeaveDialog(close)
  const form = '/report/intimate-image'
  return (
    <p className="note mt-3 text-text-2">
      {t('complaint.picture_elsewhere')}{' '}
      <Link to={form} className="text-text underline" onClick={(event) => void leave(event, form)}>
        {t('complaint.picture_form')}
      </Link>
    </p>
  )
}

function useSend(
  { person, session_id, media_id, message_id }: DialogProps['input'],
  onSent: (sent: SentComplaint) => void,
) {
  const { connection } = useAppServices()
  const [problem, setProblem] = useState<string>()
  const { busy, press } = usePress(async (reason: Reason, comment: string) => {
    setProblem(undefined)
    try {
      const sent = await connection.act('TO_COMPLAIN', {
        reason,
        comment,
        user_id: person.id,
        ...(session_id !== undefined && { session_id }),
        ...(media_id !== undefined && { media_id }),
        ...(message_id !== undefined && { message_id }),
      })
      onSent(sent)
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
  sent: { complaint_id, report },
}: DialogProps & { sent: SentComplaint }) {
  const { busy, block } = useBlock(person, () => close())
  const leave = useLeaveDialog(close)
  const isMailed = useOwnUser()?.email_confirmed === true
  const state = `/report/state#${report?.secret}`
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      align="center"
      emblem={<CheckCircleIcon size={44} weight="fill" className="text-ok" />}
      title={t('complaint.sent')}
      description={
        report
          ? t('complaint.sent_picture', {
              receipt: report.receipt,
              day: formatDay(report.answer_until),
            })
          : t('complaint.sent_text', { id: complaint_id })
      }
      actions={
        <div className="flex w-full flex-col gap-3">
          {report ? (
            <>
              <Link
                to={state}
                className={buttonLook()}
                onClick={(event) => void leave(event, state)}
              >
                {t('complaint.see_report')}
              </Link>
              {isMailed ? null : <p className="note text-text-2">{t('complaint.keep_link')}</p>}
            </>
          ) : null}
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

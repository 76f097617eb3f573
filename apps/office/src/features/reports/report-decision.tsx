import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api } from '../../shared/api.ts'
import { msg, t } from '../../shared/texts.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import type { ReportCase } from './report-names.ts'

const LABELS = {
  upheld: msg('office.report.upheld'),
  rejected: msg('office.report.rejected'),
} as const
type Decision = keyof typeof LABELS
/** The answer that is proposed to the reporter. */
const ANSWERS = {
  intimate_image: {
    upheld: msg('office.report.answer.pictures_removed'),
    rejected: msg('office.report.answer.pictures_stay'),
  },
  content: {
    upheld: msg('office.report.answer.upheld'),
    rejected: msg('office.report.answer.rejected'),
  },
  authority: {
    upheld: msg('office.report.answer.letter'),
    rejected: msg('office.report.answer.letter_rejected'),
  },
} as const
const EFFECTS = {
  upheld: msg('office.report.effect.upheld'),
  rejected: msg('office.report.effect.rejected'),
} as const

interface ReportForm {
  decision?: Decision
  answer: string
}

/** The decision about a report, with the answer to its reporter. It can be taken back for some seconds. */
export function ReportDecision({
  report,
  onDecided,
}: {
  report: ReportCase
  onDecided: () => void
}) {
  const { id, kind } = report
  const { decide } = usePending()
  const [draft, change] = useDraft<ReportForm>(String(id), { answer: '' })
  const { decision } = draft
  const reply = useReply(report.locale, draft.answer)
  const answer = reply.text.trim()
  const choose = (value: Decision) => {
    change({ decision: value })
    reply.propose(t(ANSWERS[kind][value]))
  }
  const submit = () => {
    if (!decision) return
    const send = () => api.post('v2/manager/reports/{id}/decide', { id, decision, answer })
    const written = { decision, answer: reply.text }
    decide({ id: String(id), says: t(LABELS[decision]), draft: written, send }, 'later')
    onDecided()
  }
  return (
    <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px] lg:overflow-y-auto">
      <Choices
        label={t('office.decide.title')}
        choices={(Object.keys(LABELS) as Decision[]).map((value) => ({
          value,
          label: t(LABELS[value]),
        }))}
        value={decision}
        onChange={choose}
      />
      {kind === 'intimate_image' && decision && (
        <Banner tone="plain">{t(EFFECTS[decision])}</Banner>
      )}
      <ReplyField label={t('office.report.reads')} reply={reply} rows={6} />
      <SubmitDecision
        label={decision ? t(LABELS[decision]) : t('office.decide.choose')}
        disabled={decision === undefined || answer === '' || reply.isTranslating}
        onPress={submit}
      />
    </aside>
  )
}

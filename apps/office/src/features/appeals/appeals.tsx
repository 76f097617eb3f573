import type { DeskAppeal } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api } from '../../shared/api.ts'
import { Choices, SubmitDecision } from '../../shared/queue/choices.tsx'
import { useDraft, usePending } from '../../shared/queue/pending-decision.tsx'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { statementName } from '../../shared/sanctions/statement-name.ts'
import { msg, t, textOr } from '../../shared/texts.ts'
import { standingSentence } from '../../shared/sanctions/standing-sentence.ts'
import { ReplyField } from '../../shared/translation/reply-field.tsx'
import { CitedRule } from '../../shared/sanctions/cited-rule.tsx'
import { TranslatedTexts, UserText } from '../../shared/translation/translated-texts.tsx'
import { useReply } from '../../shared/translation/use-reply.ts'
import { shortTime } from '../../shared/times.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { personName } from '../../shared/person-name.ts'
import { AppealEvidence } from './appeal-evidence.tsx'

const shape: QueueShape<DeskAppeal> = {
  queue: 'appeals',
  title: t('office.nav.appeals'),
  list: ({ page }) => api.get('v2/manager/appeals', { 'per-page': 50, page }),
  idOf: ({ id }) => String(id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: ({ user, statement }) => ({
    title: personName(user),
    text: textOr(`office.statement.${statement.kind}`, statement.kind),
  }),
  detail: AppealView,
}

export function Appeals() {
  return <QueuePage shape={shape} />
}

const LABELS = { upheld: msg('office.appeal.upheld'), rejected: msg('office.appeal.rejected') }
type Choice = keyof typeof LABELS
interface AppealForm {
  choice?: Choice
  answer: string
}

function AppealView({ item, onDecided }: { item: DeskAppeal; onDecided: () => void }) {
  const { id, text, statement, is_own_act } = item
  const { decide } = usePending()
  const [{ choice, answer }, change] = useDraft<AppealForm>(String(id), { answer: '' })
  const reply = useReply(item.user.locale, answer)
  const submit = () => {
    if (!choice) return
    const given = { id, upheld: choice === 'upheld', answer: reply.text.trim() }
    const send = async () =>
      standingSentence((await api.post('v2/manager/appeals/{id}/decide', given)).standing)
    const draft = { choice, answer: reply.text }
    decide({ id: String(id), says: t(LABELS[choice]), draft, send }, 'later')
    onDecided()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4">
        <p>
          <PersonLink isAside person={item.user} />
        </p>
        <TranslatedTexts texts={[statement.comment, text]}>
          <section className="rounded-field bg-surface-1 p-3">
            <h2 className="text-text-2">{t('office.appeal.act')}</h2>
            <p className="font-medium">
              {statementName(statement)} ·{' '}
              {textOr(`office.reason.${statement.reason}`, statement.reason)}{' '}
              <CitedRule reason={statement.reason} />
            </p>
            <p className="whitespace-pre-line break-words">
              <UserText>{statement.comment}</UserText>
            </p>
            <p className="text-text-2">
              {t('office.appeal.by', { name: statement.imposed_by, time: shortTime(statement.at) })}
            </p>
          </section>
          <section className="rounded-field bg-surface-1 p-3">
            <h2 className="text-text-2">{t('office.appeal.text')}</h2>
            <p className="whitespace-pre-line break-words">
              <UserText>{text}</UserText>
            </p>
          </section>
        </TranslatedTexts>
        <AppealEvidence appeal={item} />
      </div>
      <aside className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 lg:w-[332px]">
        {is_own_act && <Banner>{t('office.appeal.own')}</Banner>}
        <Choices
          label={t('office.decide.title')}
          choices={(Object.keys(LABELS) as Choice[]).map((value) => ({
            value,
            label: t(LABELS[value]),
          }))}
          value={choice}
          onChange={(value) => change({ choice: value })}
        />
        <ReplyField label={t('office.appeal.answer')} reply={reply} />
        <SubmitDecision
          label={choice ? t(LABELS[choice]) : t('office.decide.choose')}
          disabled={!choice || reply.text.trim() === '' || reply.isTranslating || is_own_act}
          onPress={submit}
        />
      </aside>
    </div>
  )
}

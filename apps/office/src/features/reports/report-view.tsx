import { api } from '../../shared/api.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { ChildCase } from '../../shared/sanctions/child-case.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { languageName } from '../../shared/translation/translate.ts'
import { TranslatedTexts, UserText } from '../../shared/translation/translated-texts.tsx'
import { ReportDecision } from './report-decision.tsx'
import { kindName, reasonName, type ListedReport, type ReportCase } from './report-names.ts'
import { ReportPictures } from './report-pictures.tsx'

/** A report with its words and pictures, and the decision beside it. */
export function ReportView({ item, onDecided }: { item: ListedReport; onDecided: () => void }) {
  const look = useCaseLook(['report', item.id], () =>
    api.get('v2/manager/reports/{id}', { id: item.id }),
  )
  const { data } = look
  if (!data) return <CaseState look={look} />
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <h2 className="text-[calc(16rem/16)] font-semibold">
          {kindName(data)} <span className="text-text-3">{data.receipt}</span>
        </h2>
        <NamedPeople report={data} />
        <ReportPictures report={data} />
        <TranslatedTexts texts={[data.text]}>
          <Words report={data} />
        </TranslatedTexts>
      </div>
      <ReportDecision report={data} onDecided={onDecided} />
    </div>
  )
}

/** The members that the report names. A report alone suspends none of them. */
function NamedPeople({ report: { named } }: { report: ReportCase }) {
  if (named.length === 0) return null
  return (
    <section
      aria-label={t('office.report.named')}
      className="flex flex-col gap-2 rounded-field bg-surface-1 p-3"
    >
      <h3 className="text-text-2">{t('office.report.named')}</h3>
      <ul className="flex flex-col gap-2">
        {named.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center justify-between gap-2">
            <PersonLink isAside person={person} />
            <ChildCase isNamed person={person} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Words({ report }: { report: ReportCase }) {
  const facts: [string, string][] = [
    ...(report.kind === 'intimate_image'
      ? []
      : ([[t('office.report.about'), reasonName(report)]] as [string, string][])),
    [t('office.report.where'), report.where],
    [t('office.report.text'), report.text],
    [t('office.report.signature'), report.signature],
    [t('office.report.reference'), report.reference],
    [t('office.report.complaint'), report.complaint_id === null ? '' : `#${report.complaint_id}`],
    [t('office.report.contact'), report.contact],
    [t('office.report.filed'), shortTime(report.create_time)],
    [t('office.report.answer_until'), shortTime(report.answer_until)],
    [t('office.report.holidays'), report.holidays.join(', ')],
    [t('office.report.language'), report.locale ? languageName(report.locale) : ''],
  ]
  return (
    <dl className="flex shrink-0 flex-col gap-px overflow-hidden rounded-field bg-hair shadow-[inset_0_0_0_1px_var(--hair)]">
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className="bg-surface-1 px-3 py-2">
            <dt className="text-text-2">{name}</dt>
            <dd className="break-words whitespace-pre-wrap">
              <UserText>{value}</UserText>
            </dd>
          </div>
        ))}
    </dl>
  )
}

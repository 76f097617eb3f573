import type { ComplaintCase } from '@duet/protocol'
import { t, textOr } from '../../shared/texts.ts'
import { statementName } from '../../shared/sanctions/statement-name.ts'
import { shortDay } from '../../shared/times.ts'
import { reasonName } from './complaint-names.ts'

/** The statements of the accused, and the other complaints about this person. */
export function CaseHistory({ shown: { statements, earlier } }: { shown: ComplaintCase }) {
  const rows = [
    ...statements.map((statement) => ({
      key: `statement ${statement.id}`,
      at: statement.at,
      title: textOr(`office.reason.${statement.reason}`, statement.reason),
      text: statement.comment,
      outcome: statementName(statement),
      isUpheld: true,
    })),
    ...earlier.map((complaint) => ({
      key: `complaint ${complaint.id}`,
      at: complaint.create_time,
      title: reasonName(complaint),
      text: complaint.comment,
      outcome: outcomeText(complaint),
      isUpheld:
        !complaint.is_taken_back && (complaint.decision ?? 'no_violation') !== 'no_violation',
    })),
  ].toSorted((one, other) => other.at.localeCompare(one.at))
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-text-2">{t('office.history.title')}</h3>
      {rows.length === 0 && <p>{t('office.history.none')}</p>}
      <ul className="grid grid-cols-[auto_minmax(0,1fr)_auto]">
        {rows.map(({ key, at, title, text, outcome, isUpheld }) => (
          <li key={key} className="col-span-full grid grid-cols-subgrid gap-x-4 py-1">
            <time className="text-text-2" dateTime={at}>
              {shortDay(at)}
            </time>
            <span className="min-w-0 truncate" title={text}>
              {title} <bdi className="text-text-3">{text}</bdi>
            </span>
            <span className={isUpheld ? 'text-danger' : 'text-text-2'}>{outcome}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function outcomeText({ decision, is_taken_back }: ComplaintCase['earlier'][number]): string {
  const outcome = textOr(`office.decision.${decision ?? 'waiting'}`, decision ?? '')
  return is_taken_back ? t('office.history.taken_back', { outcome }) : outcome
}

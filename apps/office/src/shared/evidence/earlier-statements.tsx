import type { FindingsCase } from '@duet/protocol'
import { t, textOr } from '../texts.ts'
import { shortTime } from '../times.ts'
import { statementName } from '../sanctions/statement-name.ts'

/** The statements that the person of a case has. */
export function EarlierStatements({ statements }: Pick<FindingsCase, 'statements'>) {
  if (statements.length === 0)
    return <p className="text-text-2">{t('office.findings.no_statements')}</p>
  return (
    <section className="flex flex-col gap-1">
      <h2 className="font-medium">{t('office.findings.statements')}</h2>
      <ul className="flex flex-col gap-1 text-text-2">
        {statements.map((statement) => (
          <li key={statement.id} className="break-words">
            {shortTime(statement.at)} · {statementName(statement)} ·{' '}
            {textOr(`office.reason.${statement.reason}`, statement.reason)}{' '}
            <bdi>{statement.comment}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { Statement } from '@duet/protocol'
import { Skeleton } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { t } from '../../shared/i18n.ts'
import { useAmountFormat } from '../../shared/amounts.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { Appeal } from './appeal.tsx'
import { BrokenRule } from './broken-rule.tsx'
import { UnreadPenalties } from './unread-penalties.tsx'
import { reasonText, timeText } from './sanction-texts.ts'
import { StatementEvidence } from './statement-evidence.tsx'

/** Every decision of staff or of a program about the user, the newest first. */
export function StatementList() {
  const isGirl = useOwnUser()?.role === 'girl'
  return (
    <>
      {isGirl ? <UnreadPenalties /> : null}
      <PagedList
        pages={usePages('statements', { refresh_ms: 60_000 })}
        small
        failed={t('statements.failed')}
        skeleton={<Skeleton className="h-16 rounded-row!" />}
        empty={<p className="panel body px-5 py-4 text-text-2">{t('statements.empty')}</p>}
      >
        {(statements) => (
          <ul className="panel flex flex-col divide-y divide-hair px-5">
            {statements.map((statement) => (
              <StatementRow key={statement.id} statement={statement} />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  )
}

function StatementRow({ statement }: { statement: Statement }) {
  const { id, kind, reason, comment, amount, automatic, at, until, lifted_at, restored } = statement
  const formatAmount = useAmountFormat()
  return (
    <li className="py-4">
      <p className="ui text-text">
        {t('statements.line', { kind: t(`statements.kind.${kind}`), reason: reasonText(reason) })}
        {amount ? ` · ${t('penalty.amount', { amount: formatAmount('coin', amount) })}` : null}
      </p>
      {comment ? <p className="body mt-1 whitespace-pre-line text-text-2">{comment}</p> : null}
      <p className="note mt-1 text-text-3">
        {[
          t(automatic ? 'statements.by_program' : 'statements.by_staff', { time: timeText(at) }),
          until ? t('statements.until', { time: timeText(until) }) : null,
          lifted_at ? t('statements.lifted', { time: timeText(lifted_at) }) : null,
          restored === undefined
            ? null
            : t(restored ? 'statements.restored' : 'statements.not_restored'),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
      <BrokenRule rule={statement.rule} />
      <StatementEvidence statement={statement} />
      <Appeal statement_id={id} can_appeal={statement.can_appeal} appeal={statement.appeal} />
    </li>
  )
}
